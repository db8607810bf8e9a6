# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
# Moves the old sales database over, and keeps following it until the cut-over.

resource "aws_dms_replication_instance" "sales" {
  replication_instance_id     = "sales-${var.environment}"
  replication_instance_class  = "dms.c6i.large"
  allocated_storage           = 100
  engine_version              = "3.5.4"
  multi_az                    = true
  publicly_accessible         = false
  auto_minor_version_upgrade  = true
  kms_key_arn                 = aws_kms_key.analytics.arn
  replication_subnet_group_id = "sales-replication"
  vpc_security_group_ids      = [aws_security_group.warehouse.id]

  tags = { Team = "sales" }
}

resource "aws_dms_endpoint" "source" {
  endpoint_id                     = "sales-${var.environment}-source"
  endpoint_type                   = "source"
  engine_name                     = "postgres"
  database_name                   = "sales"
  ssl_mode                        = "verify-full"
  certificate_arn                 = data.terraform_remote_state.migration.outputs.certificate_arn
  kms_key_arn                     = aws_kms_key.analytics.arn
  secrets_manager_arn             = data.aws_secretsmanager_secret.source.arn
  secrets_manager_access_role_arn = data.aws_iam_role.migration.arn

  tags = { Team = "sales" }
}
