data "aws_caller_identity" "current" {}

resource "aws_kms_key" "data" {
  description             = "Data of the order service"
  enable_key_rotation     = true
  deletion_window_in_days = 30
}

resource "aws_kms_alias" "data" {
  name          = "alias/orders-${var.environment}"
  target_key_id = aws_kms_key.data.key_id
}

module "documents" {
  source      = "../../modules/bucket"
  name        = "orders-documents-${var.environment}"
  kms_key_arn = aws_kms_key.data.arn
}

module "queues" {
  source     = "../../modules/queue"
  prefix     = "orders-${var.environment}"
  events     = var.events
  kms_key_id = aws_kms_key.data.arn
  topic_arn  = aws_sns_topic.orders.arn
}

resource "aws_sns_topic" "orders" {
  name              = "orders-${var.environment}"
  kms_master_key_id = aws_kms_key.data.arn
}

resource "aws_dynamodb_table" "orders" {
  name                        = "orders"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "id"
  deletion_protection_enabled = true

  attribute {
    name = "id"
    type = "S"
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled     = true
    kms_key_arn = aws_kms_key.data.arn
  }
}

resource "aws_cloudwatch_log_group" "api" {
  name              = "/orders/api"
  retention_in_days = var.retention_days
  kms_key_id        = aws_kms_key.data.arn
}

resource "aws_secretsmanager_secret" "database" {
  name       = "orders/database"
  kms_key_id = aws_kms_key.data.arn
}

resource "aws_db_instance" "orders" {
  identifier                          = "orders"
  engine                              = "postgres"
  engine_version                      = "16.3"
  instance_class                      = "db.m6g.large"
  allocated_storage                   = 100
  username                            = "orders"
  manage_master_user_password         = true
  storage_encrypted                   = true
  kms_key_id                          = aws_kms_key.data.arn
  multi_az                            = true
  publicly_accessible                 = false
  backup_retention_period             = 14
  deletion_protection                 = true
  copy_tags_to_snapshot               = true
  iam_database_authentication_enabled = true
  auto_minor_version_upgrade          = true
  performance_insights_enabled        = true
  performance_insights_kms_key_id     = aws_kms_key.data.arn
  enabled_cloudwatch_logs_exports     = ["postgresql", "upgrade"]
  vpc_security_group_ids              = [aws_security_group.database.id]
  skip_final_snapshot                 = false
  final_snapshot_identifier           = "orders-last"
}
