# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}

data "terraform_remote_state" "portal" {
  backend = "s3"

  config = {
    bucket = "northwind-terraform-state"
    key    = "portal/terraform.tfstate"
    region = "eu-west-1"
  }
}

resource "aws_iam_account_password_policy" "strict" {
  minimum_password_length        = 16
  require_lowercase_characters   = true
  require_uppercase_characters   = true
  require_numbers                = true
  require_symbols                = true
  allow_users_to_change_password = true
  hard_expiry                    = false
  max_password_age               = 90
  password_reuse_prevention      = 24
}

# Deployments come from one repository and one branch.

data "aws_iam_policy_document" "deploy_trust" {
  statement {
    sid     = "MainBranchOnly"
    effect  = "Allow"
    actions = ["sts:AssumeRoleWithWebIdentity"]

    principals {
      type        = "Federated"
      identifiers = ["arn:aws:iam::${data.aws_caller_identity.current.account_id}:oidc-provider/token.actions.githubusercontent.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "token.actions.githubusercontent.com:aud"
      values   = ["sts.amazonaws.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "token.actions.githubusercontent.com:sub"
      values   = ["repo:northwind/platform:ref:refs/heads/main"]
    }
  }
}

resource "aws_iam_role" "deploy" {
  name                 = "deploy"
  assume_role_policy   = data.aws_iam_policy_document.deploy_trust.json
  permissions_boundary = aws_iam_policy.boundary.arn
  max_session_duration = 3600

  tags = { Environment = var.environment }
}

data "aws_iam_policy_document" "deploy" {
  statement {
    sid       = "UpdateService"
    effect    = "Allow"
    actions   = ["ecs:UpdateService", "ecs:DescribeServices"]
    resources = ["arn:aws:ecs:*:${data.aws_caller_identity.current.account_id}:service/prod/*"]
  }

  statement {
    sid       = "PassTaskRoles"
    effect    = "Allow"
    actions   = ["iam:PassRole"]
    resources = ["arn:aws:iam::${data.aws_caller_identity.current.account_id}:role/tasks/*"]

    condition {
      test     = "StringEquals"
      variable = "iam:PassedToService"
      values   = ["ecs-tasks.amazonaws.com"]
    }
  }
}

resource "aws_iam_policy" "deploy" {
  name        = "deploy"
  description = "What the pipeline may change"
  policy      = data.aws_iam_policy_document.deploy.json

  tags = { Environment = var.environment }
}

resource "aws_iam_role_policy_attachment" "deploy" {
  role       = aws_iam_role.deploy.name
  policy_arn = aws_iam_policy.deploy.arn
}

data "aws_iam_policy_document" "boundary" {
  statement {
    sid       = "OnlyThese"
    effect    = "Allow"
    actions   = ["ecs:UpdateService", "ecs:DescribeServices", "iam:PassRole"]
    resources = ["arn:aws:ecs:*:${data.aws_caller_identity.current.account_id}:service/*", "arn:aws:iam::${data.aws_caller_identity.current.account_id}:role/tasks/*"]
  }
}

resource "aws_iam_policy" "boundary" {
  name        = "deploy-boundary"
  description = "Upper bound of everything the pipeline is given"
  policy      = data.aws_iam_policy_document.boundary.json

  tags = { Environment = var.environment }
}

# The auditor's own account, with the agreed external id and a second factor.
data "aws_iam_policy_document" "auditor_trust" {
  statement {
    effect  = "Allow"
    actions = ["sts:AssumeRole"]

    principals {
      type        = "AWS"
      identifiers = ["arn:aws:iam::210987654321:root"]
    }

    condition {
      test     = "StringEquals"
      variable = "sts:ExternalId"
      values   = ["northwind-audit-7731"]
    }

    condition {
      test     = "Bool"
      variable = "aws:MultiFactorAuthPresent"
      values   = ["true"]
    }
  }
}

resource "aws_iam_role" "auditor" {
  name                 = "external-auditor"
  assume_role_policy   = data.aws_iam_policy_document.auditor_trust.json
  max_session_duration = 3600

  tags = { Environment = var.environment }
}

resource "aws_iam_role_policy_attachment" "auditor" {
  role       = aws_iam_role.auditor.name
  policy_arn = "arn:aws:iam::aws:policy/SecurityAudit"
}
