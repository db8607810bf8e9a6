# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

data "aws_vpc" "main" {
  tags = { Name = "treasury" }
}

data "aws_security_group" "service" {
  name = "treasury-service"
}

data "aws_iam_role" "monitoring" {
  name = "rds-monitoring"
}

data "aws_iam_role" "trail" {
  name = "treasury-trail"
}

data "aws_iam_role" "config" {
  name = "treasury-config"
}

data "aws_iam_role" "treasury" {
  name = "treasury-application"
}

data "aws_iam_role" "directory" {
  name = "directory-sync"
}

resource "aws_kms_key" "main" {
  description             = "Treasury records and their audit"
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

  tags = { Department = "treasury" }
}

resource "aws_security_group" "treasury" {
  name        = "treasury-${var.environment}"
  description = "Databases of the treasury"
  vpc_id      = data.aws_vpc.main.id

  ingress {
    description     = "Positions from the treasury service"
    from_port       = 5433
    to_port         = 5433
    protocol        = "tcp"
    security_groups = [data.aws_security_group.service.id]
  }

  ingress {
    description     = "Contracts from the treasury service"
    from_port       = 27117
    to_port         = 27117
    protocol        = "tcp"
    security_groups = [data.aws_security_group.service.id]
  }

  tags = { Department = "treasury" }
}

resource "aws_rds_cluster_parameter_group" "positions" {
  name        = "treasury-${var.environment}-positions"
  description = "Forced TLS and statement logs"
  family      = "aurora-postgresql16"

  parameter {
    name  = "rds.force_ssl"
    value = "1"
  }

  parameter {
    name  = "log_statement"
    value = "ddl"
  }

  parameter {
    name  = "log_min_duration_statement"
    value = "500"
  }

  tags = { Department = "treasury" }
}

resource "aws_rds_cluster" "positions" {
  cluster_identifier                  = "treasury-${var.environment}-positions"
  engine                              = "aurora-postgresql"
  engine_version                      = "16.6"
  database_name                       = "positions"
  port                                = 5433
  master_username                     = "positions_owner"
  manage_master_user_password         = true
  db_subnet_group_name                = "treasury-database"
  vpc_security_group_ids              = [aws_security_group.treasury.id]
  db_cluster_parameter_group_name     = aws_rds_cluster_parameter_group.positions.name
  storage_encrypted                   = true
  kms_key_id                          = aws_kms_key.main.arn
  iam_database_authentication_enabled = true
  deletion_protection                 = true
  copy_tags_to_snapshot               = true
  backup_retention_period             = 30
  skip_final_snapshot                 = false
  final_snapshot_identifier           = "treasury-${var.environment}-positions-final"
  enabled_cloudwatch_logs_exports     = ["postgresql"]

  tags = { Department = "treasury" }
}

resource "aws_rds_cluster_instance" "positions" {
  count = 2

  identifier                      = "treasury-${var.environment}-positions-${count.index}"
  cluster_identifier              = aws_rds_cluster.positions.id
  engine                          = aws_rds_cluster.positions.engine
  instance_class                  = "db.r6g.xlarge"
  publicly_accessible             = false
  auto_minor_version_upgrade      = true
  monitoring_interval             = 60
  monitoring_role_arn             = data.aws_iam_role.monitoring.arn
  performance_insights_enabled    = true
  performance_insights_kms_key_id = aws_kms_key.main.arn

  tags = { Department = "treasury" }
}

resource "aws_docdb_cluster" "contracts" {
  cluster_identifier              = "treasury-${var.environment}-contracts"
  port                            = 27117
  master_username                 = "contracts_owner"
  manage_master_user_password     = true
  db_subnet_group_name            = "treasury-database"
  vpc_security_group_ids          = [aws_security_group.treasury.id]
  storage_encrypted               = true
  kms_key_id                      = aws_kms_key.main.arn
  backup_retention_period         = 30
  deletion_protection             = true
  skip_final_snapshot             = false
  final_snapshot_identifier       = "treasury-${var.environment}-contracts-final"
  enabled_cloudwatch_logs_exports = ["audit", "profiler"]

  tags = { Department = "treasury" }
}
