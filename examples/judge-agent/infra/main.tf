# Storage and database of an invoicing service.

resource "aws_s3_bucket" "invoices" {
  bucket = "example-invoices"
}

resource "aws_s3_bucket_public_access_block" "invoices" {
  bucket                  = aws_s3_bucket.invoices.id
  block_public_acls       = true
  block_public_policy     = false
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_versioning" "invoices" {
  bucket = aws_s3_bucket.invoices.id
  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_db_instance" "billing" {
  identifier              = "billing"
  engine                  = "postgres"
  instance_class          = "db.t4g.medium"
  allocated_storage       = 50
  username                = "billing"
  password                = var.billing_password
  storage_encrypted       = false
  publicly_accessible     = false
  backup_retention_period = 14
  deletion_protection     = true
}

resource "aws_security_group" "bastion" {
  name        = "bastion"
  description = "Administrators' way in"
  vpc_id      = var.vpc_id

  ingress {
    description = "SSH"
    from_port   = 22
    to_port     = 22
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_kms_key" "invoices" {
  description             = "Invoices at rest"
  deletion_window_in_days = 30
  enable_key_rotation     = false
}

resource "aws_iam_role_policy" "worker" {
  name = "worker"
  role = aws_iam_role.worker.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = "*"
      Resource = "*"
    }]
  })
}

resource "aws_iam_role" "worker" {
  name = "worker"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "ecs-tasks.amazonaws.com" }
    }]
  })
}

variable "billing_password" {
  type      = string
  sensitive = true
}

variable "vpc_id" {
  type = string
}
