# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

data "aws_vpc" "main" {
  tags = { Name = "shop" }
}

data "aws_subnets" "private" {
  filter {
    name   = "vpc-id"
    values = [data.aws_vpc.main.id]
  }

  tags = { Tier = "private" }
}

data "aws_iam_role" "publisher" {
  name = "shop-orders"
}

data "aws_sns_topic" "alarms" {
  name = "operations-alarms"
}

data "terraform_remote_state" "releases" {
  backend = "s3"

  config = {
    bucket = "northwind-terraform-state"
    key    = "releases/terraform.tfstate"
    region = "eu-west-1"
  }
}

resource "aws_kms_key" "messages" {
  description             = "Order events at rest"
  deletion_window_in_days = 30
  enable_key_rotation     = true

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Sid       = "AccountAdministration"
        Effect    = "Allow"
        Principal = { AWS = "arn:aws:iam::${data.aws_caller_identity.current.account_id}:root" }
        Action    = "kms:*"
        Resource  = "*"
      },
      {
        Sid       = "CloudWatchLogs"
        Effect    = "Allow"
        Principal = { Service = "logs.${data.aws_region.current.name}.amazonaws.com" }
        Action    = ["kms:Encrypt", "kms:Decrypt", "kms:GenerateDataKey*", "kms:DescribeKey"]
        Resource  = "*"
      },
      {
        Sid       = "TopicDelivery"
        Effect    = "Allow"
        Principal = { Service = "sns.amazonaws.com" }
        Action    = ["kms:GenerateDataKey", "kms:Decrypt"]
        Resource  = "*"
        Condition = {
          StringEquals = { "aws:SourceAccount" = data.aws_caller_identity.current.account_id }
        }
      },
    ]
  })

  tags = { Service = "orders" }
}

resource "aws_sns_topic" "orders" {
  name              = "orders-${var.environment}"
  kms_master_key_id = aws_kms_key.messages.arn
  signature_version = 2
  tracing_config    = "Active"

  tags = { Service = "orders" }
}

data "aws_iam_policy_document" "orders_topic" {
  statement {
    sid       = "ShopPublishes"
    effect    = "Allow"
    actions   = ["sns:Publish"]
    resources = [aws_sns_topic.orders.arn]

    principals {
      type        = "AWS"
      identifiers = [data.aws_iam_role.publisher.arn]
    }
  }

  statement {
    sid       = "DenyPlainHttp"
    effect    = "Deny"
    actions   = ["sns:Publish"]
    resources = [aws_sns_topic.orders.arn]

    principals {
      type        = "AWS"
      identifiers = ["*"]
    }

    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = ["false"]
    }
  }
}

resource "aws_sns_topic_policy" "orders" {
  arn    = aws_sns_topic.orders.arn
  policy = data.aws_iam_policy_document.orders_topic.json
}

resource "aws_sqs_queue" "fulfilment" {
  name                              = "orders-${var.environment}-fulfilment"
  visibility_timeout_seconds        = 180
  message_retention_seconds         = 345600
  kms_master_key_id                 = aws_kms_key.messages.arn
  kms_data_key_reuse_period_seconds = 300

  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.fulfilment_dead.arn
    maxReceiveCount     = 5
  })

  tags = { Service = "orders" }
}

resource "aws_sqs_queue" "fulfilment_dead" {
  name                              = "orders-${var.environment}-fulfilment-dead"
  message_retention_seconds         = 1209600
  kms_master_key_id                 = aws_kms_key.messages.arn
  kms_data_key_reuse_period_seconds = 300

  tags = { Service = "orders" }
}

data "aws_iam_policy_document" "fulfilment" {
  statement {
    sid       = "TopicDelivers"
    effect    = "Allow"
    actions   = ["sqs:SendMessage"]
    resources = [aws_sqs_queue.fulfilment.arn]

    principals {
      type        = "Service"
      identifiers = ["sns.amazonaws.com"]
    }

    condition {
      test     = "ArnEquals"
      variable = "aws:SourceArn"
      values   = [aws_sns_topic.orders.arn]
    }
  }
}

resource "aws_sqs_queue_policy" "fulfilment" {
  queue_url = aws_sqs_queue.fulfilment.id
  policy    = data.aws_iam_policy_document.fulfilment.json
}

resource "aws_cloudwatch_metric_alarm" "dead_letters" {
  alarm_name          = "orders-${var.environment}-dead-letters"
  alarm_description   = "An order could not be fulfilled"
  namespace           = "AWS/SQS"
  metric_name         = "ApproximateNumberOfMessagesVisible"
  dimensions          = { QueueName = aws_sqs_queue.fulfilment_dead.name }
  statistic           = "Maximum"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  period              = 300
  evaluation_periods  = 1
  actions_enabled     = true
  alarm_actions       = [data.aws_sns_topic.alarms.arn]

  tags = { Service = "orders" }
}
