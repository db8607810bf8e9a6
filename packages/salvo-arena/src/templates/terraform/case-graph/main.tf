# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}

data "aws_vpc" "main" {
  tags = { Name = "cases" }
}

data "aws_security_group" "service" {
  name = "case-service"
}

resource "aws_kms_key" "cases" {
  description             = "Case documents and the relations between them"
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

  tags = { Service = "cases" }
}

resource "aws_security_group" "databases" {
  name        = "cases-${var.environment}-databases"
  description = "Case databases"
  vpc_id      = data.aws_vpc.main.id

  tags = { Service = "cases" }
}

resource "aws_security_group_rule" "documents" {
  type                     = "ingress"
  security_group_id        = aws_security_group.databases.id
  description              = "Documents from inside the network"
  from_port                = 27117
  to_port                  = 27117
  protocol                 = "tcp"
  source_security_group_id = data.aws_security_group.service.id
}

resource "aws_security_group_rule" "graph" {
  type              = "ingress"
  security_group_id = aws_security_group.databases.id
  description       = "Graph database from inside the network"
  from_port         = 8282
  to_port           = 8282
  protocol          = "tcp"
  cidr_blocks       = [var.vpc_cidr]
}

resource "aws_docdb_cluster_parameter_group" "documents" {
  name        = "cases-${var.environment}"
  family      = "docdb5.0"
  description = "TLS and audit for case documents"

  parameter {
    name  = "tls"
    value = "enabled"
  }

  parameter {
    name  = "audit_logs"
    value = "enabled"
  }

  tags = { Service = "cases" }
}

resource "aws_docdb_cluster" "documents" {
  cluster_identifier              = "cases-${var.environment}-documents"
  engine                          = "docdb"
  engine_version                  = "5.0.0"
  port                            = 27117
  master_username                 = "case_owner"
  manage_master_user_password     = true
  db_subnet_group_name            = "case-documents"
  db_cluster_parameter_group_name = aws_docdb_cluster_parameter_group.documents.name
  vpc_security_group_ids          = [aws_security_group.databases.id]
  storage_encrypted               = true
  kms_key_id                      = aws_kms_key.cases.arn
  backup_retention_period         = 14
  preferred_backup_window         = "02:00-03:00"
  deletion_protection             = true
  skip_final_snapshot             = false
  final_snapshot_identifier       = "cases-${var.environment}-documents-final"
  enabled_cloudwatch_logs_exports = ["audit", "profiler"]

  tags = { Service = "cases" }
}

resource "aws_neptune_cluster" "graph" {
  cluster_identifier                   = "cases-${var.environment}-graph"
  engine                               = "neptune"
  engine_version                       = "1.3.2.1"
  port                                 = 8282
  neptune_subnet_group_name            = "case-graph"
  neptune_cluster_parameter_group_name = "graph-audited"
  vpc_security_group_ids               = [aws_security_group.databases.id]
  storage_encrypted                    = true
  kms_key_arn                          = aws_kms_key.cases.arn
  iam_database_authentication_enabled  = true
  backup_retention_period              = 14
  copy_tags_to_snapshot                = true
  deletion_protection                  = true
  skip_final_snapshot                  = false
  final_snapshot_identifier            = "cases-${var.environment}-graph-final"
  enable_cloudwatch_logs_exports       = ["audit", "slowquery"]

  tags = { Service = "cases" }
}

resource "aws_neptune_cluster_instance" "graph" {
  count = 2

  identifier                 = "cases-${var.environment}-graph-${count.index}"
  cluster_identifier         = aws_neptune_cluster.graph.id
  engine                     = "neptune"
  instance_class             = "db.r6g.large"
  publicly_accessible        = false
  auto_minor_version_upgrade = true

  tags = { Service = "cases" }
}
