# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
resource "aws_lambda_function" "rates" {
  function_name                  = "partner-api-${var.environment}-rates"
  role                           = aws_iam_role.rates.arn
  runtime                        = "python3.13"
  handler                        = "rates.handler"
  s3_bucket                      = "northwind-releases"
  s3_key                         = "rates/1.22.0.zip"
  timeout                        = 10
  reserved_concurrent_executions = 50
  kms_key_arn                    = aws_kms_key.api.arn
  code_signing_config_arn        = data.terraform_remote_state.releases.outputs.code_signing_config_arn

  environment {
    variables = {
      TABLE_NAME = "partner-rates"
    }
  }

  vpc_config {
    subnet_ids         = data.aws_subnets.private.ids
    security_group_ids = [data.aws_security_group.function.id]
  }

  dead_letter_config {
    target_arn = data.aws_sqs_queue.failures.arn
  }

  tracing_config {
    mode = "Active"
  }

  tags = { Environment = var.environment }
}

resource "aws_lambda_permission" "gateway" {
  statement_id  = "gateway"
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.rates.function_name
  principal     = "apigateway.amazonaws.com"
  source_arn    = "${aws_api_gateway_rest_api.partners.execution_arn}/*/GET/rates"
}

data "aws_iam_policy_document" "rates_trust" {
  statement {
    effect  = "Allow"
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "rates" {
  name               = "partner-api-${var.environment}-rates"
  assume_role_policy = data.aws_iam_policy_document.rates_trust.json

  tags = { Environment = var.environment }
}

data "aws_iam_policy_document" "rates" {
  statement {
    sid       = "ReadRates"
    effect    = "Allow"
    actions   = ["dynamodb:GetItem", "dynamodb:Query"]
    resources = ["arn:aws:dynamodb:${data.aws_region.current.name}:${data.aws_caller_identity.current.account_id}:table/partner-rates"]
  }
}

resource "aws_iam_role_policy" "rates" {
  name   = "rates"
  role   = aws_iam_role.rates.id
  policy = data.aws_iam_policy_document.rates.json
}

resource "aws_wafv2_web_acl" "partners" {
  name        = "partner-api-${var.environment}"
  description = "Filters partner requests"
  scope       = "REGIONAL"

  default_action {
    block {}
  }

  rule {
    name     = "known-bad-inputs"
    priority = 1

    override_action {
      none {}
    }

    statement {
      managed_rule_group_statement {
        vendor_name = "AWS"
        name        = "AWSManagedRulesKnownBadInputsRuleSet"
      }
    }

    visibility_config {
      cloudwatch_metrics_enabled = true
      metric_name                = "known-bad-inputs"
      sampled_requests_enabled   = true
    }
  }

  rule {
    name     = "partner-addresses"
    priority = 2

    action {
      allow {}
    }

    statement {
      ip_set_reference_statement {
        arn = data.aws_wafv2_ip_set.partners.arn
      }
    }

    visibility_config {
      cloudwatch_metrics_enabled = true
      metric_name                = "partner-addresses"
      sampled_requests_enabled   = true
    }
  }

  visibility_config {
    cloudwatch_metrics_enabled = true
    metric_name                = "partner-api-${var.environment}"
    sampled_requests_enabled   = true
  }

  tags = { Environment = var.environment }
}

resource "aws_cloudwatch_log_group" "firewall" {
  name              = "aws-waf-logs-partner-api-${var.environment}"
  retention_in_days = 365
  kms_key_id        = aws_kms_key.api.arn

  tags = { Environment = var.environment }
}

resource "aws_wafv2_web_acl_logging_configuration" "partners" {
  resource_arn            = aws_wafv2_web_acl.partners.arn
  log_destination_configs = [aws_cloudwatch_log_group.firewall.arn]
}
