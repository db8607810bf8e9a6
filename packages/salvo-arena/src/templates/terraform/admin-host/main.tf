# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

data "aws_vpc" "main" {
  tags = { Name = "operations" }
}

data "aws_subnet" "hosts" {
  tags = { Name = "operations-private-a" }
}

data "aws_ssm_parameter" "image" {
  name = "/platform/images/hardened-linux"
}

data "aws_secretsmanager_secret_version" "database_url" {
  secret_id = "reporting/database-url"
}

data "aws_iam_instance_profile" "host" {
  name = "operations-host"
}

resource "aws_kms_key" "admin" {
  description             = "Volumes, sessions and settings of the admin host"
  deletion_window_in_days = 30
  enable_key_rotation     = true
  is_enabled              = true

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

  tags = { Team = "operations" }
}

resource "aws_ebs_encryption_by_default" "this" {
  enabled = true
}

# No inbound rule at all: operators come in through Session Manager.
resource "aws_security_group" "admin" {
  name        = "ops-admin-${var.environment}"
  description = "Admin host, outbound only"
  vpc_id      = data.aws_vpc.main.id

  egress {
    description = "HTTPS to the interface endpoints"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = [data.aws_vpc.main.cidr_block]
  }

  tags = { Team = "operations" }
}

resource "aws_instance" "admin" {
  ami                         = data.aws_ssm_parameter.image.value
  instance_type               = "t3.medium"
  subnet_id                   = data.aws_subnet.hosts.id
  vpc_security_group_ids      = [aws_security_group.admin.id]
  associate_public_ip_address = false
  iam_instance_profile        = data.aws_iam_instance_profile.host.name
  monitoring                  = true
  ebs_optimized               = true
  disable_api_termination     = true

  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }

  root_block_device {
    volume_type = "gp3"
    volume_size = 20
    encrypted   = true
    kms_key_id  = aws_kms_key.admin.arn
  }

  user_data = <<-SCRIPT
    #!/bin/bash
    set -euo pipefail
    dnf install -y postgresql15 jq
    systemctl enable --now amazon-ssm-agent
  SCRIPT

  tags = { Team = "operations" }
}

resource "aws_ebs_volume" "workspace" {
  availability_zone = aws_instance.admin.availability_zone
  size              = 50
  type              = "gp3"
  encrypted         = true
  kms_key_id        = aws_kms_key.admin.arn

  tags = { Snapshot = "daily" }
}

resource "aws_cloudwatch_log_group" "sessions" {
  name              = "/ops/admin-sessions"
  retention_in_days = var.log_retention_days
  kms_key_id        = aws_kms_key.admin.arn

  tags = { Team = "operations" }
}

resource "aws_ssm_document" "session" {
  name            = "ops-admin-${var.environment}-session"
  document_type   = "Session"
  document_format = "JSON"

  content = jsonencode({
    schemaVersion = "1.0"
    description   = "Interactive sessions on the admin host"
    sessionType   = "Standard_Stream"
    inputs = {
      kmsKeyId                    = aws_kms_key.admin.arn
      s3BucketName                = "northwind-session-transcripts"
      s3KeyPrefix                 = "sessions"
      s3EncryptionEnabled         = true
      cloudWatchLogGroupName      = aws_cloudwatch_log_group.sessions.name
      cloudWatchEncryptionEnabled = true
      idleSessionTimeout          = "15"
      runAsEnabled                = true
      runAsDefaultUser            = "operator"
    }
  })

  tags = { Team = "operations" }
}

resource "aws_ssm_parameter" "database_url" {
  name   = "/ops/admin/database-url"
  type   = "SecureString"
  key_id = aws_kms_key.admin.arn
  value  = data.aws_secretsmanager_secret_version.database_url.secret_string

  tags = { Team = "operations" }
}

resource "aws_dlm_lifecycle_policy" "workspace" {
  description        = "Daily snapshots of the workspace volume"
  execution_role_arn = aws_iam_role.snapshots.arn
  state              = "ENABLED"

  policy_details {
    resource_types = ["VOLUME"]
    target_tags    = { Snapshot = "daily" }

    schedule {
      name      = "daily"
      copy_tags = true

      create_rule {
        interval      = 24
        interval_unit = "HOURS"
        times         = ["02:30"]
      }

      retain_rule {
        count = 14
      }

      cross_region_copy_rule {
        target    = "eu-central-1"
        encrypted = true
        cmk_arn   = "arn:aws:kms:eu-central-1:${data.aws_caller_identity.current.account_id}:alias/snapshot-copies"
      }
    }
  }

  tags = { Team = "operations" }
}
