# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
# A file that arrives is checked, booked and answered.
resource "aws_cloudwatch_log_group" "booking" {
  name              = "/aws/vendedlogs/states/exchange-${var.environment}"
  retention_in_days = 365
  kms_key_id        = aws_kms_key.exchange.arn

  tags = { Team = "bookings" }
}

resource "aws_sfn_state_machine" "booking" {
  name     = "exchange-${var.environment}"
  type     = "STANDARD"
  role_arn = aws_iam_role.booking.arn

  definition = jsonencode({
    StartAt = "Check"
    States = {
      Check = { Type = "Task", Resource = data.aws_lambda_function.check.arn, Next = "Book" }
      Book  = { Type = "Task", Resource = data.aws_lambda_function.book.arn, End = true }
    }
  })

  logging_configuration {
    level                  = "ALL"
    include_execution_data = false
    log_destination        = "${aws_cloudwatch_log_group.booking.arn}:*"
  }

  tracing_configuration {
    enabled = true
  }

  encryption_configuration {
    type                              = "CUSTOMER_MANAGED_KMS_KEY"
    kms_key_id                        = aws_kms_key.exchange.arn
    kms_data_key_reuse_period_seconds = 300
  }

  tags = { Team = "bookings" }
}

resource "aws_scheduler_schedule" "reconcile" {
  name                = "exchange-${var.environment}-reconcile"
  schedule_expression = "cron(30 22 * * ? *)"
  kms_key_arn         = aws_kms_key.exchange.arn
  state               = "ENABLED"

  flexible_time_window {
    mode = "OFF"
  }

  target {
    arn      = aws_sfn_state_machine.booking.arn
    role_arn = data.aws_iam_role.scheduler.arn
  }
}

data "aws_iam_policy_document" "booking_trust" {
  statement {
    effect  = "Allow"
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["states.amazonaws.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = [data.aws_caller_identity.current.account_id]
    }
  }
}

resource "aws_iam_role" "booking" {
  name               = "exchange-${var.environment}-booking"
  assume_role_policy = data.aws_iam_policy_document.booking_trust.json

  tags = { Team = "bookings" }
}

data "aws_iam_policy_document" "booking" {
  statement {
    sid       = "CallSteps"
    effect    = "Allow"
    actions   = ["lambda:InvokeFunction"]
    resources = [data.aws_lambda_function.check.arn, data.aws_lambda_function.book.arn]
  }
}

resource "aws_iam_role_policy" "booking" {
  name   = "steps"
  role   = aws_iam_role.booking.id
  policy = data.aws_iam_policy_document.booking.json
}

# Clerks look at rejected files on a managed desktop, never on their own machine.
resource "aws_workspaces_workspace" "clerk" {
  for_each = toset(["m.okafor", "j.lindqvist"])

  directory_id                   = data.terraform_remote_state.desktops.outputs.directory_id
  bundle_id                      = data.terraform_remote_state.desktops.outputs.bundle_id
  user_name                      = each.value
  root_volume_encryption_enabled = true
  user_volume_encryption_enabled = true
  volume_encryption_key          = aws_kms_key.exchange.arn

  workspace_properties {
    compute_type_name                         = "STANDARD"
    root_volume_size_gib                      = 80
    user_volume_size_gib                      = 50
    running_mode                              = "AUTO_STOP"
    running_mode_auto_stop_timeout_in_minutes = 60
  }

  tags = { Team = "bookings" }
}
