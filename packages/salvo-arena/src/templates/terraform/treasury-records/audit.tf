# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
resource "aws_cloudtrail" "treasury" {
  name                          = "treasury-${var.environment}"
  s3_bucket_name                = "northwind-treasury-trail"
  kms_key_id                    = aws_kms_key.main.arn
  cloud_watch_logs_group_arn    = "${aws_cloudwatch_log_group.trail.arn}:*"
  cloud_watch_logs_role_arn     = data.aws_iam_role.trail.arn
  sns_topic_name                = aws_sns_topic.controllers.name
  is_multi_region_trail         = true
  include_global_service_events = true
  enable_log_file_validation    = true
  enable_logging                = true

  event_selector {
    read_write_type           = "All"
    include_management_events = true

    data_resource {
      type   = "AWS::S3::Object"
      values = ["arn:aws:s3"]
    }
  }

  tags = { Department = "treasury" }
}

resource "aws_cloudwatch_log_group" "trail" {
  name              = "/audit/treasury-${var.environment}"
  retention_in_days = var.log_retention_days
  kms_key_id        = aws_kms_key.main.arn

  tags = { Department = "treasury" }
}

resource "aws_config_configuration_recorder" "treasury" {
  name     = "treasury-${var.environment}"
  role_arn = data.aws_iam_role.config.arn

  recording_group {
    all_supported                 = true
    include_global_resource_types = true
  }
}

resource "aws_config_configuration_recorder_status" "treasury" {
  name       = aws_config_configuration_recorder.treasury.name
  is_enabled = true
}

resource "aws_sns_topic" "controllers" {
  name              = "treasury-${var.environment}-controllers"
  kms_master_key_id = aws_kms_key.main.arn

  tags = { Department = "treasury" }
}

resource "aws_sns_topic_policy" "controllers" {
  arn = aws_sns_topic.controllers.arn

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "TrailAnnounces"
      Effect    = "Allow"
      Principal = { Service = "cloudtrail.amazonaws.com" }
      Action    = "sns:Publish"
      Resource  = aws_sns_topic.controllers.arn
      Condition = {
        StringEquals = { "aws:SourceAccount" = data.aws_caller_identity.current.account_id }
      }
      }, {
      Sid       = "DenyPlainHttp"
      Effect    = "Deny"
      Principal = "*"
      Action    = "sns:Publish"
      Resource  = aws_sns_topic.controllers.arn
      Condition = {
        Bool = { "aws:SecureTransport" = "false" }
      }
    }]
  })
}

resource "aws_sqs_queue" "approvals" {
  name              = "treasury-${var.environment}-approvals"
  kms_master_key_id = aws_kms_key.main.arn

  tags = { Department = "treasury" }
}

resource "aws_sqs_queue_policy" "approvals" {
  queue_url = aws_sqs_queue.approvals.id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "TreasuryAsks"
      Effect    = "Allow"
      Principal = { AWS = data.aws_iam_role.treasury.arn }
      Action    = "sqs:SendMessage"
      Resource  = aws_sqs_queue.approvals.arn
      }, {
      Sid          = "OnlyTreasuryAsks"
      Effect       = "Deny"
      NotPrincipal = { AWS = [data.aws_iam_role.treasury.arn, "arn:aws:iam::${data.aws_caller_identity.current.account_id}:root"] }
      Action       = "sqs:SendMessage"
      Resource     = aws_sqs_queue.approvals.arn
    }]
  })
}

resource "aws_iam_policy" "approver" {
  name        = "treasury-${var.environment}-approver"
  description = "Takes approvals off the queue"

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = ["sqs:ReceiveMessage", "sqs:DeleteMessage"]
      Resource = aws_sqs_queue.approvals.arn
      Condition = {
        Bool = { "aws:MultiFactorAuthPresent" = "true" }
      }
    }]
  })

  tags = { Department = "treasury" }
}

resource "aws_iam_role" "approver" {
  name                 = "treasury-${var.environment}-approver"
  max_session_duration = 3600

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { AWS = data.aws_iam_role.directory.arn }
      Action    = "sts:AssumeRole"
      Condition = {
        StringEquals = { "sts:ExternalId" = "treasury-directory-4417" }
        Bool         = { "aws:MultiFactorAuthPresent" = "true" }
      }
    }]
  })

  tags = { Department = "treasury" }
}

resource "aws_iam_role_policy_attachment" "approver" {
  role       = aws_iam_role.approver.name
  policy_arn = aws_iam_policy.approver.arn
}
