# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

data "aws_vpc" "main" {
  tags = { Name = "analytics" }
}

data "aws_subnets" "private" {
  filter {
    name   = "vpc-id"
    values = [data.aws_vpc.main.id]
  }

  tags = { Tier = "private" }
}

data "aws_iam_role" "search_admin" {
  name = "search-administration"
}

data "aws_iam_role" "search_clients" {
  name = "sales-search"
}

data "terraform_remote_state" "migration" {
  backend = "s3"

  config = {
    bucket = "northwind-terraform-state"
    key    = "migration/terraform.tfstate"
    region = "eu-west-1"
  }
}

data "aws_secretsmanager_secret" "source" {
  name = "migration/source"
}

data "aws_iam_role" "migration" {
  name = "database-migration"
}

resource "aws_kms_key" "analytics" {
  description             = "Warehouse, search and migration storage"
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

  tags = { Team = "sales" }
}

resource "aws_security_group" "warehouse" {
  name        = "sales-${var.environment}-warehouse"
  description = "Warehouse and search from the analyst network"
  vpc_id      = data.aws_vpc.main.id

  ingress {
    description = "Warehouse clients"
    from_port   = 5440
    to_port     = 5440
    protocol    = "tcp"
    cidr_blocks = ["10.64.0.0/18"]
  }

  ingress {
    description = "Search over HTTPS"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = ["10.64.0.0/18"]
  }

  tags = { Team = "sales" }
}

resource "aws_redshift_parameter_group" "warehouse" {
  name        = "sales-${var.environment}"
  family      = "redshift-1.0"
  description = "TLS only, user activity logged"

  parameter {
    name  = "require_ssl"
    value = "true"
  }

  parameter {
    name  = "enable_user_activity_logging"
    value = "true"
  }

  tags = { Team = "sales" }
}

resource "aws_redshift_cluster" "warehouse" {
  cluster_identifier                  = "sales-${var.environment}"
  database_name                       = "sales"
  port                                = 5440
  node_type                           = "ra3.xlplus"
  number_of_nodes                     = 2
  master_username                     = "warehouse_owner"
  manage_master_password              = true
  master_password_secret_kms_key_id   = aws_kms_key.analytics.arn
  encrypted                           = true
  kms_key_id                          = aws_kms_key.analytics.arn
  publicly_accessible                 = false
  enhanced_vpc_routing                = true
  allow_version_upgrade               = true
  automated_snapshot_retention_period = 14
  skip_final_snapshot                 = false
  final_snapshot_identifier           = "sales-${var.environment}-final"
  cluster_subnet_group_name           = "sales-warehouse"
  cluster_parameter_group_name        = aws_redshift_parameter_group.warehouse.name
  vpc_security_group_ids              = [aws_security_group.warehouse.id]

  logging {
    enable        = true
    bucket_name   = "northwind-audit-logs"
    s3_key_prefix = "warehouse/"
  }

  tags = { Team = "sales" }
}

resource "aws_cloudwatch_log_group" "search" {
  for_each = toset(["audit", "application", "slow-index", "slow-search"])

  name              = "/search/sales-${var.environment}/${each.key}"
  retention_in_days = var.log_retention_days
  kms_key_id        = aws_kms_key.analytics.arn

  tags = { Team = "sales" }
}

resource "aws_opensearch_domain" "catalogue" {
  domain_name    = "sales-${var.environment}-catalogue"
  engine_version = "OpenSearch_2.17"

  cluster_config {
    instance_type            = "r6g.large.search"
    instance_count           = 3
    dedicated_master_enabled = true
    dedicated_master_count   = 3
    dedicated_master_type    = "m6g.large.search"
    zone_awareness_enabled   = true

    zone_awareness_config {
      availability_zone_count = 3
    }
  }

  ebs_options {
    ebs_enabled = true
    volume_type = "gp3"
    volume_size = 100
  }

  encrypt_at_rest {
    enabled    = true
    kms_key_id = aws_kms_key.analytics.arn
  }

  node_to_node_encryption {
    enabled = true
  }

  domain_endpoint_options {
    enforce_https       = true
    tls_security_policy = "Policy-Min-TLS-1-2-PFS-2023-10"
  }

  advanced_security_options {
    enabled                        = true
    internal_user_database_enabled = false
    anonymous_auth_enabled         = false

    master_user_options {
      master_user_arn = data.aws_iam_role.search_admin.arn
    }
  }

  vpc_options {
    subnet_ids         = data.aws_subnets.private.ids
    security_group_ids = [aws_security_group.warehouse.id]
  }

  log_publishing_options {
    log_type                 = "AUDIT_LOGS"
    enabled                  = true
    cloudwatch_log_group_arn = aws_cloudwatch_log_group.search["audit"].arn
  }

  log_publishing_options {
    log_type                 = "ES_APPLICATION_LOGS"
    enabled                  = true
    cloudwatch_log_group_arn = aws_cloudwatch_log_group.search["application"].arn
  }

  log_publishing_options {
    log_type                 = "INDEX_SLOW_LOGS"
    enabled                  = true
    cloudwatch_log_group_arn = aws_cloudwatch_log_group.search["slow-index"].arn
  }

  log_publishing_options {
    log_type                 = "SEARCH_SLOW_LOGS"
    enabled                  = true
    cloudwatch_log_group_arn = aws_cloudwatch_log_group.search["slow-search"].arn
  }

  tags = { Team = "sales" }
}

data "aws_iam_policy_document" "catalogue" {
  statement {
    sid       = "AnalyticsService"
    effect    = "Allow"
    actions   = ["es:ESHttpGet", "es:ESHttpPost"]
    resources = ["${aws_opensearch_domain.catalogue.arn}/*"]

    principals {
      type        = "AWS"
      identifiers = [data.aws_iam_role.search_clients.arn]
    }
  }
}

resource "aws_opensearch_domain_policy" "catalogue" {
  domain_name     = aws_opensearch_domain.catalogue.domain_name
  access_policies = data.aws_iam_policy_document.catalogue.json
}
