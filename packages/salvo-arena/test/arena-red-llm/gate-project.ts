import { GATE_TEMPLATE } from './gate-template.ts';

const MAIN = `
resource "aws_s3_bucket" "records" {
  bucket = "clinic-records"
}

resource "aws_s3_bucket_versioning" "records" {
  bucket = aws_s3_bucket.records.id
  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_server_side_encryption_configuration" "records" {
  bucket = aws_s3_bucket.records.id
  rule {
    apply_server_side_encryption_by_default {
      sse_algorithm     = "aws:kms"
      kms_master_key_id = aws_kms_key.main.arn
    }
  }
}

resource "aws_s3_bucket_public_access_block" "records" {
  bucket                  = aws_s3_bucket.records.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_logging" "records" {
  bucket        = aws_s3_bucket.records.id
  target_bucket = aws_s3_bucket.exports.id
  target_prefix = "records/"
}

resource "aws_s3_bucket" "exports" {
  bucket = "clinic-exports"
}

resource "aws_s3_bucket_versioning" "exports" {
  count  = var.keep_versions ? 1 : 0
  bucket = aws_s3_bucket.exports.id
  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_policy" "exports" {
  bucket = aws_s3_bucket.exports.id
  policy = data.aws_iam_policy_document.exports.json
}

data "aws_iam_policy_document" "exports" {
  statement {
    actions   = ["s3:GetObject"]
    resources = ["\${aws_s3_bucket.exports.arn}/*"]
    principals {
      type        = "*"
      identifiers = ["*"]
    }
  }
}

resource "aws_kms_key" "main" {
  description         = "Everything at rest"
  enable_key_rotation = true
}

resource "aws_db_instance" "main" {
  identifier              = "clinic"
  engine                  = "postgres"
  instance_class          = "db.t4g.medium"
  username                = "clinic"
  password                = var.db_password
  storage_encrypted       = true
  kms_key_id              = aws_kms_key.main.arn
  publicly_accessible     = false
  backup_retention_period = 14
  deletion_protection     = local.protect
  skip_final_snapshot     = false
  vpc_security_group_ids  = [aws_security_group.db.id]
}

resource "aws_db_instance" "replica" {
  identifier           = "clinic-reports"
  instance_class       = "db.t4g.medium"
  publicly_accessible  = var.reports_public
  password             = var.reports_password
  storage_encrypted    = false
}
`;

const NETWORK = `
resource "aws_security_group" "db" {
  name = "db"
  ingress {
    from_port   = 5432
    to_port     = 5432
    protocol    = "tcp"
    cidr_blocks = ["10.0.0.0/16"]
  }
  egress {
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_security_group" "web" {
  name = "web"
  dynamic "ingress" {
    for_each = local.web_ports
    content {
      from_port   = ingress.value
      to_port     = ingress.value
      protocol    = "tcp"
      cidr_blocks = [var.web_source]
    }
  }
}

resource "aws_security_group" "bastion" {
  name = "bastion"
}

resource "aws_vpc_security_group_ingress_rule" "bastion_ssh" {
  security_group_id = aws_security_group.bastion.id
  cidr_ipv4         = "0.0.0.0/0"
  from_port         = 22
  to_port           = 22
  ip_protocol       = "tcp"
}

resource "aws_instance" "bastion" {
  ami           = "ami-0123456789abcdef0"
  instance_type = "t3.micro"
  metadata_options {
    http_endpoint = "enabled"
    http_tokens   = "required"
  }
  root_block_device {
    encrypted = true
  }
  vpc_security_group_ids = [aws_security_group.bastion.id]
}

resource "aws_instance" "worker" {
  ami           = "ami-0123456789abcdef0"
  instance_type = "t3.small"
  user_data     = <<-EOT
    #!/bin/bash
    export REPORTS_TOKEN=tok-93b1-clinic
    /opt/worker/start
  EOT
  root_block_device {
    volume_size = 40
  }
}

module "queue" {
  source    = "./modules/queue"
  encrypted = false
}
`;

const IAM = `
resource "aws_iam_role" "worker" {
  name = "worker"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { AWS = "arn:aws:iam::210987654321:root" }
    }]
  })
}

resource "aws_iam_role_policy" "worker" {
  role   = aws_iam_role.worker.id
  policy = <<POLICY
{
  "Version": "2012-10-17",
  "Statement": [
    {"Effect": "Allow", "Action": ["s3:*", "kms:Decrypt"], "Resource": "*"}
  ]
}
POLICY
}

resource "aws_iam_policy" "reader" {
  name = "reader"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = ["s3:GetObject", "s3:ListBucket"]
      Resource = [aws_s3_bucket.records.arn, "arn:aws:s3:::clinic-records/public"]
      Condition = { Bool = { "aws:SecureTransport" = "true" } }
    }]
  })
}

resource "aws_cloudtrail" "audit" {
  name                       = "audit"
  s3_bucket_name             = aws_s3_bucket.exports.id
  is_multi_region_trail      = true
  enable_log_file_validation = true
}

resource "aws_lb_listener" "https" {
  load_balancer_arn = "arn:aws:elasticloadbalancing:eu-west-1:210987654321:loadbalancer/app/web/1"
  port              = 443
  protocol          = "HTTPS"
  ssl_policy        = "ELBSecurityPolicy-TLS13-1-2-2021-06"
}
`;

const VARIABLES = `
variable "keep_versions" {
  default = false
}
variable "db_password" {
  type      = string
  sensitive = true
}
variable "reports_password" {
  default = "Clinic-2024!"
}
variable "reports_public" {
  type    = bool
  default = true
}
variable "web_source" {
  default = "0.0.0.0/0"
}
locals {
  protect   = true
  web_ports = [80, 443]
}
`;

const QUEUE = `
variable "encrypted" {
  type = bool
}
resource "aws_sqs_queue" "jobs" {
  name                    = "jobs"
  sqs_managed_sse_enabled = var.encrypted
}
`;

/** A clinic's records, on Terraform with a module and on CloudFormation: some of it is sound, some of it is not. */
export const GATE_PROJECT: Record<string, string> = {
  'main.tf': MAIN,
  'network.tf': NETWORK,
  'iam.tf': IAM,
  'variables.tf': VARIABLES,
  'modules/queue/main.tf': QUEUE,
  'template.yaml': GATE_TEMPLATE,
};
