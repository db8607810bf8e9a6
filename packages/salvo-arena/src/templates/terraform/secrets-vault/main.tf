# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

data "aws_subnets" "private" {
  tags = { Network = "payments", Tier = "private" }
}

data "aws_iam_role" "consumer" {
  name = "payments-service"
}

data "aws_vpc_endpoint" "secrets" {
  service_name = "com.amazonaws.eu-west-1.secretsmanager"
}

data "aws_secretsmanager_secret_version" "webhook" {
  secret_id = "payments/webhook-key"
}

data "aws_ssm_parameter" "merchant" {
  name = "/payments/contract/merchant"
}

data "terraform_remote_state" "releases" {
  backend = "s3"

  config = {
    bucket = "northwind-terraform-state"
    key    = "releases/terraform.tfstate"
    region = "eu-west-1"
  }
}

data "aws_security_group" "rotation" {
  name = "payments-rotation"
}

resource "aws_kms_key" "secrets" {
  description             = "Secrets and parameters of payments"
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
        Principal = { AWS = data.aws_iam_role.consumer.arn }
        Action    = ["kms:Decrypt", "kms:DescribeKey"]
        Resource  = "*"
        Condition = {
          StringEquals = { "kms:CallerAccount" = data.aws_caller_identity.current.account_id }
        }
      },
    ]
  })

  tags = { Team = "payments" }
}

resource "aws_secretsmanager_secret" "payment_gateway" {
  name                    = "payments/payment-gateway"
  description             = "Credentials of the payment gateway"
  kms_key_id              = aws_kms_key.secrets.arn
  recovery_window_in_days = 30

  replica {
    region     = "eu-central-1"
    kms_key_id = "arn:aws:kms:eu-central-1:${data.aws_caller_identity.current.account_id}:alias/payments-replica"
  }

  tags = { Team = "payments" }
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
      identifiers = [data.aws_iam_role.consumer.arn]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:SourceVpce"
      values   = [data.aws_vpc_endpoint.secrets.id]
    }
  }

  statement {
    sid       = "OnlyCheckoutReads"
    effect    = "Deny"
    actions   = ["secretsmanager:GetSecretValue"]
    resources = [aws_secretsmanager_secret.payment_gateway.arn]

    not_principals {
      type        = "AWS"
      identifiers = [data.aws_iam_role.consumer.arn, "arn:aws:iam::${data.aws_caller_identity.current.account_id}:root"]
    }
  }
}

resource "aws_secretsmanager_secret_policy" "payment_gateway" {
  secret_arn          = aws_secretsmanager_secret.payment_gateway.arn
  block_public_policy = true
  policy              = data.aws_iam_policy_document.payment_gateway.json
}

resource "aws_ssm_parameter" "webhook_key" {
  name        = "/payments/webhook-secret"
  description = "Signs outgoing webhooks"
  type        = "SecureString"
  key_id      = aws_kms_key.secrets.arn
  value       = data.aws_secretsmanager_secret_version.webhook.secret_string

  tags = { Team = "payments" }
}

resource "aws_ssm_parameter" "merchant_id" {
  name        = "/payments/merchant-id"
  description = "Our id at the payment gateway"
  type        = "SecureString"
  key_id      = aws_kms_key.secrets.arn
  value       = data.aws_ssm_parameter.merchant.value

  tags = { Team = "payments" }
}

resource "aws_sqs_queue" "rotation_failures" {
  name              = "payments-secrets-${var.environment}-rotation-failures"
  kms_master_key_id = aws_kms_key.secrets.arn

  tags = { Team = "payments" }
}

resource "aws_lambda_function" "rotation" {
  function_name                  = "payments-secrets-${var.environment}-rotation"
  role                           = aws_iam_role.rotation.arn
  runtime                        = "python3.13"
  handler                        = "rotation.handler"
  s3_bucket                      = "northwind-releases"
  s3_key                         = "rotation/package.zip"
  timeout                        = 60
  reserved_concurrent_executions = 2
  kms_key_arn                    = aws_kms_key.secrets.arn
  code_signing_config_arn        = data.terraform_remote_state.releases.outputs.code_signing_config_arn

  environment {
    variables = {
      GATEWAY_HOST = "gateway.payments.example"
    }
  }

  vpc_config {
    subnet_ids         = data.aws_subnets.private.ids
    security_group_ids = [data.aws_security_group.rotation.id]
  }

  dead_letter_config {
    target_arn = aws_sqs_queue.rotation_failures.arn
  }

  tracing_config {
    mode = "Active"
  }

  tags = { Team = "payments" }
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

  tags = { Team = "payments" }
}

resource "aws_iam_role" "rotation" {
  name = "payments-secrets-${var.environment}-rotation"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "lambda.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })

  tags = { Team = "payments" }
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
