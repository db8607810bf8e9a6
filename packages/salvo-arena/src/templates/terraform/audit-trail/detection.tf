# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
resource "aws_sns_topic" "security" {
  name              = "northwind-audit-${var.environment}-alerts"
  kms_master_key_id = aws_kms_key.audit.arn

  tags = { Environment = var.environment }
}

resource "aws_guardduty_detector" "main" {
  enable                       = true
  finding_publishing_frequency = "FIFTEEN_MINUTES"

  tags = { Environment = var.environment }
}

resource "aws_guardduty_organization_configuration" "main" {
  detector_id                      = aws_guardduty_detector.main.id
  auto_enable_organization_members = "ALL"
}

resource "aws_config_configuration_recorder" "main" {
  name     = "northwind-audit-${var.environment}"
  role_arn = data.aws_iam_role.config.arn

  recording_group {
    all_supported                 = true
    include_global_resource_types = true
  }
}

resource "aws_config_configuration_recorder_status" "main" {
  name       = aws_config_configuration_recorder.main.name
  is_enabled = true
}

resource "aws_config_configuration_aggregator" "account" {
  name = "northwind-audit-${var.environment}"

  account_aggregation_source {
    account_ids = [data.aws_caller_identity.current.account_id]
    all_regions = true
  }

  tags = { Environment = var.environment }
}

resource "aws_cloudwatch_metric_alarm" "watched" {
  for_each = toset([
    "root-usage",
    "denied-calls",
    "console-no-mfa",
    "key-deletion",
    "trail-changes",
    "security-groups",
    "identity-changes",
  ])

  alarm_name          = "audit-${each.key}"
  namespace           = "Audit"
  metric_name         = each.key
  statistic           = "Sum"
  comparison_operator = "GreaterThanOrEqualToThreshold"
  threshold           = 1
  period              = 300
  evaluation_periods  = 1
  actions_enabled     = true
  alarm_actions       = [aws_sns_topic.security.arn]

  tags = { Environment = var.environment }
}
