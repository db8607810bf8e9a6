# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
resource "aws_kinesis_stream" "readings" {
  name                = "telemetry-${var.environment}-readings"
  retention_period    = 72
  encryption_type     = "KMS"
  kms_key_id          = aws_kms_key.stream.arn
  shard_level_metrics = ["IncomingBytes", "OutgoingBytes", "IteratorAgeMilliseconds"]

  stream_mode_details {
    stream_mode = "ON_DEMAND"
  }

  tags = { Team = "streaming" }
}

resource "aws_cloudwatch_log_group" "delivery" {
  name              = "/firehose/telemetry-${var.environment}"
  retention_in_days = 365
  kms_key_id        = aws_kms_key.stream.arn

  tags = { Team = "streaming" }
}

resource "aws_kinesis_firehose_delivery_stream" "alerts" {
  name        = "telemetry-${var.environment}-alerts"
  destination = "extended_s3"

  server_side_encryption {
    enabled  = true
    key_type = "CUSTOMER_MANAGED_CMK"
    key_arn  = aws_kms_key.stream.arn
  }

  extended_s3_configuration {
    role_arn           = aws_iam_role.delivery.arn
    bucket_arn         = "arn:aws:s3:::northwind-plant-alerts"
    prefix             = "alerts/"
    compression_format = "GZIP"
    kms_key_arn        = aws_kms_key.stream.arn

    cloudwatch_logging_options {
      enabled         = true
      log_group_name  = aws_cloudwatch_log_group.delivery.name
      log_stream_name = "alerts"
    }
  }

  tags = { Team = "streaming" }
}

data "aws_iam_policy_document" "delivery_trust" {
  statement {
    effect  = "Allow"
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["firehose.amazonaws.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "sts:ExternalId"
      values   = [data.aws_caller_identity.current.account_id]
    }
  }
}

resource "aws_iam_role" "delivery" {
  name               = "telemetry-${var.environment}-delivery"
  assume_role_policy = data.aws_iam_policy_document.delivery_trust.json

  tags = { Team = "streaming" }
}

data "aws_iam_policy_document" "delivery" {
  statement {
    sid       = "WriteAlerts"
    effect    = "Allow"
    actions   = ["s3:PutObject", "s3:AbortMultipartUpload"]
    resources = ["arn:aws:s3:::northwind-plant-alerts/alerts/*"]
  }

  statement {
    sid       = "UseKey"
    effect    = "Allow"
    actions   = ["kms:Decrypt", "kms:GenerateDataKey"]
    resources = [aws_kms_key.stream.arn]
  }
}

resource "aws_iam_role_policy" "delivery" {
  name   = "landing"
  role   = aws_iam_role.delivery.id
  policy = data.aws_iam_policy_document.delivery.json
}
