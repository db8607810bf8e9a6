# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

data "aws_vpc" "main" {
  tags = { Name = "devices" }
}

data "aws_subnets" "private" {
  filter {
    name   = "vpc-id"
    values = [data.aws_vpc.main.id]
  }

  tags = { Tier = "private" }
}

data "aws_security_group" "services" {
  name = "device-services"
}

data "aws_iam_role" "delivery" {
  name = "telemetry-delivery"
}

data "aws_iam_role" "search_admin" {
  name = "search-administration"
}

data "aws_iam_role" "notebooks" {
  name = "telemetry-notebooks"
}

resource "aws_kms_key" "main" {
  description             = "Device events, search and reports"
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
    ]
  })

  tags = { Product = "telemetry" }
}

resource "aws_security_group" "analytics" {
  name        = "devices-${var.environment}-analytics"
  description = "Search, reports and brokers from the services"
  vpc_id      = data.aws_vpc.main.id

  dynamic "ingress" {
    for_each = { search = 443, reports = 5440, kafka = 9098 }

    content {
      description     = "Services to ${ingress.key}"
      from_port       = ingress.value
      to_port         = ingress.value
      protocol        = "tcp"
      security_groups = [data.aws_security_group.services.id]
    }
  }

  tags = { Product = "telemetry" }
}

resource "aws_kinesis_stream" "events" {
  name             = "devices-${var.environment}-events"
  shard_count      = 8
  retention_period = 48
  encryption_type  = "KMS"
  kms_key_id       = aws_kms_key.main.arn

  tags = { Product = "telemetry" }
}

resource "aws_kinesis_firehose_delivery_stream" "events" {
  name        = "devices-${var.environment}-archive"
  destination = "extended_s3"

  server_side_encryption {
    enabled  = true
    key_type = "CUSTOMER_MANAGED_CMK"
    key_arn  = aws_kms_key.main.arn
  }

  extended_s3_configuration {
    role_arn    = data.aws_iam_role.delivery.arn
    bucket_arn  = "arn:aws:s3:::northwind-telemetry-archive"
    kms_key_arn = aws_kms_key.main.arn

    cloudwatch_logging_options {
      enabled         = true
      log_group_name  = aws_cloudwatch_log_group.analytics.name
      log_stream_name = "archive"
    }
  }

  tags = { Product = "telemetry" }
}

resource "aws_cloudwatch_log_group" "analytics" {
  name              = "/analytics/devices-${var.environment}"
  retention_in_days = var.log_retention_days
  kms_key_id        = aws_kms_key.main.arn

  tags = { Product = "telemetry" }
}

resource "aws_msk_cluster" "commands" {
  cluster_name           = "devices-${var.environment}-commands"
  kafka_version          = "3.6.0"
  number_of_broker_nodes = 2

  broker_node_group_info {
    instance_type   = "kafka.m5.large"
    client_subnets  = slice(data.aws_subnets.private.ids, 0, 2)
    security_groups = [aws_security_group.analytics.id]
  }

  encryption_info {
    encryption_at_rest_kms_key_arn = aws_kms_key.main.arn

    encryption_in_transit {
      client_broker = "TLS"
      in_cluster    = true
    }
  }

  client_authentication {
    sasl {
      iam = true
    }
  }

  logging_info {
    broker_logs {
      cloudwatch_logs {
        enabled   = true
        log_group = aws_cloudwatch_log_group.analytics.name
      }
    }
  }

  tags = { Product = "telemetry" }
}
