data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

resource "aws_kms_key" "secrets" {
  description             = "Secrets and parameters of ${var.team}"
  deletion_window_in_days = 30
  enable_key_rotation     = true
  multi_region            = true

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
        Sid       = "UseThroughSecretsManager"
        Effect    = "Allow"
        Principal = { AWS = var.consumer_role_arn }
        Action    = ["kms:Decrypt", "kms:DescribeKey"]
        Resource  = "*"
        Condition = {
          StringEquals = { "kms:CallerAccount" = data.aws_caller_identity.current.account_id }
        }
      },
    ]
  })

  tags = var.tags
}

resource "aws_secretsmanager_secret" "payment_gateway" {
  name                    = "${var.team}/payment-gateway"
  description             = "Credentials of the payment gateway"
  kms_key_id              = aws_kms_key.secrets.arn
  recovery_window_in_days = 30

  replica {
    region     = var.replica_region
    kms_key_id = var.replica_key_arn
  }

  tags = var.tags
}

resource "aws_secretsmanager_secret_rotation" "payment_gateway" {
  secret_id           = aws_secretsmanager_secret.payment_gateway.id
  rotation_lambda_arn = aws_lambda_function.rotation.arn

  rotation_rules {
    automatically_after_days = var.rotation_days
  }
}

data "aws_iam_policy_document" "payment_gateway" {
  statement {
    sid       = "CheckoutReads"
    effect    = "Allow"
    actions   = ["secretsmanager:GetSecretValue"]
    resources = [aws_secretsmanager_secret.payment_gateway.arn]

    principals {
      type        = "AWS"
      identifiers = [var.consumer_role_arn]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:SourceVpce"
      values   = [var.vpc_endpoint_id]
    }
  }

  statement {
    sid       = "OnlyCheckoutReads"
    effect    = "Deny"
    actions   = ["secretsmanager:GetSecretValue"]
    resources = [aws_secretsmanager_secret.payment_gateway.arn]

    not_principals {
      type        = "AWS"
      identifiers = [var.consumer_role_arn, "arn:aws:iam::${data.aws_caller_identity.current.account_id}:root"]
    }
  }
}

resource "aws_secretsmanager_secret_policy" "payment_gateway" {
  secret_arn          = aws_secretsmanager_secret.payment_gateway.arn
  block_public_policy = true
  policy              = data.aws_iam_policy_document.payment_gateway.json
}

resource "aws_ssm_parameter" "webhook_key" {
  name        = "/${var.team}/webhook-secret"
  description = "Signs outgoing webhooks"
  type        = "SecureString"
  key_id      = aws_kms_key.secrets.arn
  value       = var.webhook_key

  tags = var.tags
}

resource "aws_ssm_parameter" "merchant_id" {
  name        = "/${var.team}/merchant-id"
  description = "Our id at the payment gateway"
  type        = "SecureString"
  key_id      = aws_kms_key.secrets.arn
  value       = var.merchant_id

  tags = var.tags
}

resource "aws_sqs_queue" "rotation_failures" {
  name              = "${var.team}-secrets-${var.environment}-rotation-failures"
  kms_master_key_id = aws_kms_key.secrets.arn

  tags = var.tags
}

resource "aws_lambda_function" "rotation" {
  function_name                  = "${var.team}-secrets-${var.environment}-rotation"
  role                           = aws_iam_role.rotation.arn
  runtime                        = "python3.13"
  handler                        = "rotation.handler"
  s3_bucket                      = var.artifact_bucket
  s3_key                         = "rotation/package.zip"
  timeout                        = 60
  reserved_concurrent_executions = 2
  kms_key_arn                    = aws_kms_key.secrets.arn
  code_signing_config_arn        = var.code_signing_config_arn

  environment {
    variables = {
      GATEWAY_HOST = var.gateway_host
    }
  }

  vpc_config {
    subnet_ids         = var.private_subnet_ids
    security_group_ids = [var.function_security_group_id]
  }

  dead_letter_config {
    target_arn = aws_sqs_queue.rotation_failures.arn
  }

  tracing_config {
    mode = "Active"
  }

  tags = var.tags
}

resource "aws_lambda_permission" "rotation" {
  statement_id   = "rotation"
  action         = "lambda:InvokeFunction"
  function_name  = aws_lambda_function.rotation.function_name
  principal      = "secretsmanager.amazonaws.com"
  source_account = data.aws_caller_identity.current.account_id
  source_arn     = aws_secretsmanager_secret.payment_gateway.arn
}

resource "aws_cloudwatch_log_group" "rotation" {
  name              = "/aws/lambda/${aws_lambda_function.rotation.function_name}"
  retention_in_days = 365
  kms_key_id        = aws_kms_key.secrets.arn

  tags = var.tags
}

resource "aws_iam_role" "rotation" {
  name = "${var.team}-secrets-${var.environment}-rotation"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "lambda.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })

  tags = var.tags
}

resource "aws_iam_role_policy" "rotation" {
  name = "rotate"
  role = aws_iam_role.rotation.id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Sid      = "RotateOwnSecret"
        Effect   = "Allow"
        Action   = ["secretsmanager:DescribeSecret", "secretsmanager:PutSecretValue", "secretsmanager:UpdateSecretVersionStage"]
        Resource = aws_secretsmanager_secret.payment_gateway.arn
      },
      {
        Sid      = "UseKey"
        Effect   = "Allow"
        Action   = ["kms:Decrypt", "kms:GenerateDataKey"]
        Resource = aws_kms_key.secrets.arn
      },
    ]
  })
}
