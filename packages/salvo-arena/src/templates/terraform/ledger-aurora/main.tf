# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}

data "aws_vpc" "main" {
  tags = { Name = "finance" }
}

data "aws_security_groups" "clients" {
  tags = { Access = "ledger" }
}

data "aws_iam_role" "monitoring" {
  name = "rds-monitoring"
}

resource "aws_kms_key" "ledger" {
  description             = "General ledger database"
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
    ]
  })

  tags = { Service = "ledger" }
}

resource "aws_security_group" "ledger" {
  name        = "ledger-${var.environment}"
  description = "MySQL protocol from the accounting services"
  vpc_id      = data.aws_vpc.main.id

  dynamic "ingress" {
    for_each = toset(data.aws_security_groups.clients.ids)

    content {
      description     = "From ${ingress.key}"
      from_port       = 3307
      to_port         = 3307
      protocol        = "tcp"
      security_groups = [ingress.value]
    }
  }

  tags = { Service = "ledger" }
}

resource "aws_rds_cluster_parameter_group" "ledger" {
  name        = "ledger-${var.environment}"
  family      = "aurora-mysql8.0"
  description = "TLS only, full audit"

  parameter {
    name  = "require_secure_transport"
    value = "ON"
  }

  parameter {
    name  = "server_audit_logging"
    value = "1"
  }

  parameter {
    name  = "tls_version"
    value = "TLSv1.2,TLSv1.3"
  }

  tags = { Service = "ledger" }
}

resource "aws_rds_cluster" "ledger" {
  cluster_identifier              = "ledger-${var.environment}"
  engine                          = "aurora-mysql"
  engine_version                  = "8.0.mysql_aurora.3.08.0"
  database_name                   = "ledger"
  port                            = 3307
  db_subnet_group_name            = "finance-database"
  vpc_security_group_ids          = [aws_security_group.ledger.id]
  db_cluster_parameter_group_name = aws_rds_cluster_parameter_group.ledger.name

  master_username               = "ledger_owner"
  manage_master_user_password   = true
  master_user_secret_kms_key_id = aws_kms_key.ledger.arn

  storage_encrypted                   = true
  kms_key_id                          = aws_kms_key.ledger.arn
  iam_database_authentication_enabled = true
  deletion_protection                 = true
  copy_tags_to_snapshot               = true
  backup_retention_period             = 35
  preferred_backup_window             = "01:00-02:00"
  backtrack_window                    = 86400
  skip_final_snapshot                 = false
  final_snapshot_identifier           = "ledger-${var.environment}-final"
  enabled_cloudwatch_logs_exports     = ["audit", "error", "general", "slowquery"]

  tags = { Service = "ledger" }
}

resource "aws_rds_cluster_instance" "ledger" {
  count = 3

  identifier                      = "ledger-${var.environment}-${count.index}"
  cluster_identifier              = aws_rds_cluster.ledger.id
  engine                          = aws_rds_cluster.ledger.engine
  engine_version                  = aws_rds_cluster.ledger.engine_version
  instance_class                  = "db.r6g.large"
  publicly_accessible             = false
  auto_minor_version_upgrade      = true
  ca_cert_identifier              = "rds-ca-rsa2048-g1"
  monitoring_interval             = 30
  monitoring_role_arn             = data.aws_iam_role.monitoring.arn
  performance_insights_enabled    = true
  performance_insights_kms_key_id = aws_kms_key.ledger.arn

  tags = { Service = "ledger" }
}

resource "aws_cloudwatch_log_group" "audit" {
  name              = "/aws/rds/cluster/ledger-${var.environment}/audit"
  kms_key_id        = aws_kms_key.ledger.arn
  retention_in_days = 731

  tags = { Service = "ledger" }
}

resource "aws_sns_topic" "operators" {
  name              = "ledger-${var.environment}-operators"
  kms_master_key_id = aws_kms_key.ledger.arn

  tags = { Service = "ledger" }
}

resource "aws_cloudwatch_log_group" "errors" {
  name              = "/aws/rds/cluster/ledger-${var.environment}/error"
  kms_key_id        = aws_kms_key.ledger.arn
  retention_in_days = 365

  tags = { Service = "ledger" }
}
