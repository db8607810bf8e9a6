# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

data "aws_vpc" "main" {
  tags = { Name = "shop" }
}

data "aws_security_group" "application" {
  name = "storefront"
}

resource "aws_kms_key" "sessions" {
  description             = "Session tables and caches of storefront"
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

  tags = { Product = "storefront" }
}

resource "aws_dynamodb_table" "sessions" {
  name                        = "storefront-sessions-${var.environment}"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "session_id"
  deletion_protection_enabled = true

  attribute {
    name = "session_id"
    type = "S"
  }

  ttl {
    attribute_name = "expires_at"
    enabled        = true
  }

  server_side_encryption {
    enabled     = true
    kms_key_arn = aws_kms_key.sessions.arn
  }

  point_in_time_recovery {
    enabled = true
  }

  tags = { Product = "storefront" }
}

resource "aws_dynamodb_table" "profiles" {
  name                        = "storefront-profiles"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "customer_id"
  range_key                   = "section"
  deletion_protection_enabled = true

  attribute {
    name = "customer_id"
    type = "S"
  }

  attribute {
    name = "section"
    type = "S"
  }

  server_side_encryption {
    enabled     = true
    kms_key_arn = aws_kms_key.sessions.arn
  }

  point_in_time_recovery {
    enabled = true
  }

  tags = { Product = "storefront" }
}

resource "aws_security_group" "cache" {
  name        = "storefront-sessions-${var.environment}-cache"
  description = "Cache nodes"
  vpc_id      = data.aws_vpc.main.id

  ingress {
    description     = "Redis over TLS from the application"
    from_port       = 6380
    to_port         = 6380
    protocol        = "tcp"
    security_groups = [data.aws_security_group.application.id]
  }

  ingress {
    description     = "DAX over TLS from the application"
    from_port       = 9111
    to_port         = 9111
    protocol        = "tcp"
    security_groups = [data.aws_security_group.application.id]
  }

  tags = { Product = "storefront" }
}

resource "aws_dax_cluster" "profiles" {
  cluster_name                     = "storefront-profiles"
  iam_role_arn                     = aws_iam_role.dax.arn
  node_type                        = "dax.r5.large"
  replication_factor               = 3
  subnet_group_name                = "storefront-dax"
  security_group_ids               = [aws_security_group.cache.id]
  cluster_endpoint_encryption_type = "TLS"

  server_side_encryption {
    enabled = true
  }

  tags = { Product = "storefront" }
}

data "aws_iam_policy_document" "dax_trust" {
  statement {
    effect  = "Allow"
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["dax.amazonaws.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = [data.aws_caller_identity.current.account_id]
    }
  }
}

resource "aws_iam_role" "dax" {
  name               = "storefront-sessions-${var.environment}-dax"
  assume_role_policy = data.aws_iam_policy_document.dax_trust.json

  tags = { Product = "storefront" }
}

data "aws_iam_policy_document" "dax" {
  statement {
    sid       = "ReadWriteProfiles"
    effect    = "Allow"
    actions   = ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:PutItem", "dynamodb:DescribeTable"]
    resources = [aws_dynamodb_table.profiles.arn]
  }
}

resource "aws_iam_role_policy" "dax" {
  name   = "profiles"
  role   = aws_iam_role.dax.id
  policy = data.aws_iam_policy_document.dax.json
}

data "aws_secretsmanager_secret_version" "cache_token" {
  secret_id = "storefront/cache-token"
}

resource "aws_cloudwatch_log_group" "cache" {
  name              = "/cache/storefront-sessions-${var.environment}"
  retention_in_days = var.log_retention_days
  kms_key_id        = aws_kms_key.sessions.arn

  tags = { Product = "storefront" }
}

resource "aws_elasticache_replication_group" "sessions" {
  replication_group_id       = "storefront-sessions-${var.environment}"
  description                = "Hot sessions of storefront"
  engine                     = "redis"
  engine_version             = "7.1"
  node_type                  = "cache.r7g.large"
  port                       = 6380
  num_cache_clusters         = 3
  automatic_failover_enabled = true
  multi_az_enabled           = true
  auto_minor_version_upgrade = true
  subnet_group_name          = "storefront-cache"
  security_group_ids         = [aws_security_group.cache.id]
  at_rest_encryption_enabled = true
  kms_key_id                 = aws_kms_key.sessions.arn
  transit_encryption_enabled = true
  transit_encryption_mode    = "required"
  auth_token                 = data.aws_secretsmanager_secret_version.cache_token.secret_string
  snapshot_retention_limit   = 7
  snapshot_window            = "03:00-04:00"

  log_delivery_configuration {
    destination      = aws_cloudwatch_log_group.cache.name
    destination_type = "cloudwatch-logs"
    log_format       = "json"
    log_type         = "slow-log"
  }

  tags = { Product = "storefront" }
}
