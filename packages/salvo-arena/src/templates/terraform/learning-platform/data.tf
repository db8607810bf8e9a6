# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
resource "aws_db_parameter_group" "courses" {
  name        = "${var.environment}-learning"
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

  tags = { Product = "courses" }
}

resource "aws_db_instance" "courses" {
  identifier     = "${var.environment}-learning"
  engine         = "postgres"
  engine_version = "16.6"
  instance_class = "db.r6g.large"
  db_name        = "courses"
  port           = 5433

  username                      = "courses_owner"
  manage_master_user_password   = true
  master_user_secret_kms_key_id = aws_kms_key.main.arn

  allocated_storage     = 200
  max_allocated_storage = 500
  storage_type          = "gp3"
  storage_encrypted     = true
  kms_key_id            = aws_kms_key.main.arn

  multi_az                            = true
  publicly_accessible                 = false
  db_subnet_group_name                = "courses-database"
  vpc_security_group_ids              = [aws_security_group.data.id]
  parameter_group_name                = aws_db_parameter_group.courses.name
  ca_cert_identifier                  = "rds-ca-rsa2048-g1"
  iam_database_authentication_enabled = true

  backup_retention_period    = 21
  backup_window              = "02:00-03:00"
  copy_tags_to_snapshot      = true
  deletion_protection        = true
  skip_final_snapshot        = false
  final_snapshot_identifier  = "${var.environment}-learning-final"
  auto_minor_version_upgrade = true

  monitoring_interval             = 60
  monitoring_role_arn             = data.aws_iam_role.monitoring.arn
  performance_insights_enabled    = true
  performance_insights_kms_key_id = aws_kms_key.main.arn
  enabled_cloudwatch_logs_exports = ["postgresql", "upgrade"]

  tags = { Product = "courses" }
}

data "aws_secretsmanager_secret_version" "cache_token" {
  secret_id = "courses/cache-token"
}

resource "aws_elasticache_replication_group" "sessions" {
  replication_group_id       = "${var.environment}-learning"
  description                = "Sessions of the learning platform"
  engine                     = "redis"
  engine_version             = "7.1"
  node_type                  = "cache.m7g.large"
  port                       = 6380
  num_cache_clusters         = 2
  automatic_failover_enabled = true
  multi_az_enabled           = true
  auto_minor_version_upgrade = true
  subnet_group_name          = "courses-cache"
  security_group_ids         = [aws_security_group.data.id]
  at_rest_encryption_enabled = true
  kms_key_id                 = aws_kms_key.main.arn
  transit_encryption_enabled = true
  transit_encryption_mode    = "required"
  auth_token                 = data.aws_secretsmanager_secret_version.cache_token.secret_string
  snapshot_retention_limit   = 5

  tags = { Product = "courses" }
}

resource "aws_security_group" "data" {
  name        = "${var.environment}-learning-data"
  description = "Database, cache and uploads from the tasks"
  vpc_id      = data.aws_vpc.main.id

  dynamic "ingress" {
    for_each = { database = 5433, cache = 6380, uploads = 2049 }

    content {
      description     = "Tasks to the ${ingress.key}"
      from_port       = ingress.value
      to_port         = ingress.value
      protocol        = "tcp"
      security_groups = [aws_security_group.tasks.id]
    }
  }

  tags = { Product = "courses" }
}

resource "aws_efs_file_system" "uploads" {
  creation_token = "${var.environment}-learning-uploads"
  encrypted      = true
  kms_key_id     = aws_kms_key.main.arn

  tags = { Product = "courses" }
}
