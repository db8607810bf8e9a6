# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

data "aws_vpc" "main" {
  tags = { Name = "shop" }
}

data "aws_security_group" "service" {
  name = "orders-service"
}

data "aws_lambda_function" "rotation" {
  function_name = "postgres-user-rotation"
}

resource "aws_kms_key" "database" {
  description             = "Storage, logs and credentials of orders-${var.environment}"
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

  tags = { Service = "orders" }
}

resource "aws_security_group" "database" {
  name        = "orders-${var.environment}-db"
  description = "PostgreSQL from the orders service"
  vpc_id      = data.aws_vpc.main.id

  ingress {
    description     = "PostgreSQL from inside the network"
    from_port       = 5433
    to_port         = 5433
    protocol        = "tcp"
    security_groups = [data.aws_security_group.service.id]
  }

  tags = { Service = "orders" }
}

resource "aws_db_parameter_group" "orders" {
  name        = "orders-${var.environment}"
  family      = "postgres16"
  description = "TLS only, statements logged"

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

  tags = { Service = "orders" }
}

resource "aws_db_instance" "orders" {
  identifier     = "orders-${var.environment}"
  engine         = "postgres"
  engine_version = "16.6"
  instance_class = "db.r6g.xlarge"
  db_name        = "orders"
  port           = 5433

  username                      = "orders_owner"
  manage_master_user_password   = true
  master_user_secret_kms_key_id = aws_kms_key.database.arn

  allocated_storage     = 100
  max_allocated_storage = 500
  storage_type          = "gp3"
  storage_encrypted     = true
  kms_key_id            = aws_kms_key.database.arn

  multi_az                            = true
  publicly_accessible                 = false
  db_subnet_group_name                = "shop-database"
  vpc_security_group_ids              = [aws_security_group.database.id]
  parameter_group_name                = aws_db_parameter_group.orders.name
  ca_cert_identifier                  = "rds-ca-rsa2048-g1"
  iam_database_authentication_enabled = true

  backup_retention_period    = 14
  backup_window              = "02:00-03:00"
  copy_tags_to_snapshot      = true
  deletion_protection        = true
  skip_final_snapshot        = false
  final_snapshot_identifier  = "orders-${var.environment}-final"
  auto_minor_version_upgrade = true

  monitoring_interval             = 60
  monitoring_role_arn             = aws_iam_role.monitoring.arn
  performance_insights_enabled    = true
  performance_insights_kms_key_id = aws_kms_key.database.arn
  enabled_cloudwatch_logs_exports = ["postgresql", "upgrade"]

  tags = { Service = "orders" }
}

resource "aws_cloudwatch_log_group" "postgresql" {
  name              = "/aws/rds/instance/orders-${var.environment}/postgresql"
  retention_in_days = 365
  kms_key_id        = aws_kms_key.database.arn

  tags = { Service = "orders" }
}

resource "aws_iam_role" "monitoring" {
  name = "orders-${var.environment}-monitoring"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "monitoring.rds.amazonaws.com" }
      Action    = "sts:AssumeRole"
      Condition = {
        StringEquals = { "aws:SourceAccount" = data.aws_caller_identity.current.account_id }
      }
    }]
  })

  tags = { Service = "orders" }
}

resource "aws_iam_role_policy_attachment" "monitoring" {
  role       = aws_iam_role.monitoring.name
  policy_arn = "arn:aws:iam::aws:policy/service-role/AmazonRDSEnhancedMonitoringRole"
}

# Credentials of the reporting user, rotated every month.
resource "aws_secretsmanager_secret" "reporting" {
  name                    = "orders-${var.environment}/reporting"
  description             = "Read-only user of the reporting job"
  kms_key_id              = aws_kms_key.database.arn
  recovery_window_in_days = 30

  tags = { Service = "orders" }
}

resource "aws_secretsmanager_secret_rotation" "reporting" {
  secret_id           = aws_secretsmanager_secret.reporting.id
  rotation_lambda_arn = data.aws_lambda_function.rotation.arn

  rotation_rules {
    automatically_after_days = var.rotation_days
  }
}
