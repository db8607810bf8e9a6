# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_iam_policy_document" "support" {
  statement {
    sid       = "ReadTickets"
    effect    = "Allow"
    actions   = ["dynamodb:GetItem", "dynamodb:Query"]
    resources = ["arn:aws:dynamodb:*:${data.aws_caller_identity.current.account_id}:table/tickets"]

    condition {
      test     = "Bool"
      variable = "aws:MultiFactorAuthPresent"
      values   = ["true"]
    }
  }

  statement {
    sid         = "NothingWithoutSecondFactor"
    effect      = "Deny"
    not_actions = ["iam:ListMFADevices", "sts:GetSessionToken"]
    resources   = ["*"]

    condition {
      test     = "BoolIfExists"
      variable = "aws:MultiFactorAuthPresent"
      values   = ["false"]
    }
  }
}

resource "aws_iam_policy" "support" {
  name        = "support-tickets"
  description = "Tickets, with a second factor"
  policy      = data.aws_iam_policy_document.support.json

  tags = { Environment = var.environment }
}

resource "aws_iam_group_policy_attachment" "support" {
  group      = "support"
  policy_arn = aws_iam_policy.support.arn
}

resource "aws_cognito_user_pool" "staff" {
  name                     = "staff"
  mfa_configuration        = var.staff_mfa
  deletion_protection      = "ACTIVE"
  auto_verified_attributes = ["email"]

  software_token_mfa_configuration {
    enabled = true
  }

  password_policy {
    minimum_length                   = 14
    require_lowercase                = true
    require_uppercase                = true
    require_numbers                  = true
    require_symbols                  = true
    temporary_password_validity_days = 1
  }

  admin_create_user_config {
    allow_admin_create_user_only = true
  }

  user_pool_add_ons {
    advanced_security_mode = "ENFORCED"
  }

  tags = { Environment = var.environment }
}

resource "aws_cognito_identity_pool" "staff" {
  identity_pool_name               = "staff"
  allow_unauthenticated_identities = false
  allow_classic_flow               = false

  cognito_identity_providers {
    client_id               = data.terraform_remote_state.portal.outputs.client_id
    provider_name           = aws_cognito_user_pool.staff.endpoint
    server_side_token_check = true
  }

  tags = { Environment = var.environment }
}
