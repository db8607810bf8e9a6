# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}

data "aws_region" "current" {}

data "aws_vpc" "main" {
  tags = { Name = "exchange" }
}

data "aws_subnets" "private" {
  filter {
    name   = "vpc-id"
    values = [data.aws_vpc.main.id]
  }

  tags = { Tier = "private" }
}

data "aws_lambda_function" "check" {
  function_name = "booking-check"
}

data "aws_lambda_function" "book" {
  function_name = "booking-book"
}

data "aws_iam_role" "bookings" {
  name = "booking-import"
}

data "aws_iam_role" "scheduler" {
  name = "booking-schedule"
}

data "terraform_remote_state" "desktops" {
  backend = "s3"

  config = {
    bucket = "northwind-terraform-state"
    key    = "desktops/terraform.tfstate"
    region = "eu-west-1"
  }
}

resource "aws_kms_key" "exchange" {
  description             = "Files exchanged with partners"
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

  tags = { Team = "bookings" }
}

resource "aws_s3_bucket" "exchange" {
  bucket        = "exchange-${var.environment}-files"
  force_destroy = false

  tags = { Team = "bookings" }
}

resource "aws_s3_bucket_versioning" "exchange" {
  bucket = aws_s3_bucket.exchange.id

  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_public_access_block" "exchange" {
  bucket = aws_s3_bucket.exchange.id

  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_lifecycle_configuration" "exchange" {
  bucket = aws_s3_bucket.exchange.id

  rule {
    id     = "expire"
    status = "Enabled"

    filter {}

    expiration {
      days = 400
    }

    abort_incomplete_multipart_upload {
      days_after_initiation = 1
    }
  }
}

data "aws_iam_policy_document" "exchange_bucket" {
  statement {
    sid       = "DenyPlainHttp"
    effect    = "Deny"
    actions   = ["s3:*"]
    resources = [aws_s3_bucket.exchange.arn, "${aws_s3_bucket.exchange.arn}/*"]

    principals {
      type        = "*"
      identifiers = ["*"]
    }

    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = ["false"]
    }
  }

  statement {
    sid       = "BookingReads"
    effect    = "Allow"
    actions   = ["s3:GetObject"]
    resources = ["${aws_s3_bucket.exchange.arn}/*"]

    principals {
      type        = "AWS"
      identifiers = [data.aws_iam_role.bookings.arn]
    }
  }

  statement {
    sid       = "OnlyBookingDeletes"
    effect    = "Deny"
    actions   = ["s3:DeleteObject"]
    resources = ["${aws_s3_bucket.exchange.arn}/*"]

    not_principals {
      type        = "AWS"
      identifiers = [data.aws_iam_role.bookings.arn, "arn:aws:iam::${data.aws_caller_identity.current.account_id}:root"]
    }
  }
}

resource "aws_s3_bucket_policy" "exchange" {
  bucket = aws_s3_bucket.exchange.id
  policy = data.aws_iam_policy_document.exchange_bucket.json
}

resource "aws_security_group" "sftp" {
  name        = "exchange-${var.environment}-sftp"
  description = "SFTP from partners over the private link"
  vpc_id      = data.aws_vpc.main.id

  ingress {
    description = "SFTP from partner networks"
    from_port   = 22
    to_port     = 22
    protocol    = "tcp"
    cidr_blocks = ["10.200.10.0/27"]
  }

  tags = { Team = "bookings" }
}

resource "aws_cloudwatch_log_group" "transfer" {
  name              = "/transfer/exchange-${var.environment}"
  retention_in_days = 365
  kms_key_id        = aws_kms_key.exchange.arn

  tags = { Team = "bookings" }
}

resource "aws_transfer_server" "sftp" {
  identity_provider_type      = "SERVICE_MANAGED"
  domain                      = "S3"
  endpoint_type               = "VPC"
  protocols                   = ["SFTP"]
  security_policy_name        = "TransferSecurityPolicy-2025-03"
  logging_role                = aws_iam_role.transfer.arn
  structured_log_destinations = ["${aws_cloudwatch_log_group.transfer.arn}:*"]
  force_destroy               = false

  endpoint_details {
    vpc_id             = data.aws_vpc.main.id
    subnet_ids         = data.aws_subnets.private.ids
    security_group_ids = [aws_security_group.sftp.id]
  }

  tags = { Team = "bookings" }
}

data "aws_iam_policy_document" "transfer_trust" {
  statement {
    effect  = "Allow"
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["transfer.amazonaws.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = [data.aws_caller_identity.current.account_id]
    }
  }
}

resource "aws_iam_role" "transfer" {
  name               = "exchange-${var.environment}-transfer"
  assume_role_policy = data.aws_iam_policy_document.transfer_trust.json

  tags = { Team = "bookings" }
}

data "aws_iam_policy_document" "transfer" {
  statement {
    sid       = "OwnFolder"
    effect    = "Allow"
    actions   = ["s3:GetObject", "s3:PutObject"]
    resources = ["${aws_s3_bucket.exchange.arn}/clearing-house/*"]
  }

  statement {
    sid       = "UseKey"
    effect    = "Allow"
    actions   = ["kms:Decrypt", "kms:GenerateDataKey"]
    resources = [aws_kms_key.exchange.arn]
  }
}

resource "aws_iam_role_policy" "transfer" {
  name   = "files"
  role   = aws_iam_role.transfer.id
  policy = data.aws_iam_policy_document.transfer.json
}
