# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}

data "aws_vpc" "main" {
  tags = { Name = "studio" }
}

data "aws_subnets" "private" {
  filter {
    name   = "vpc-id"
    values = [data.aws_vpc.main.id]
  }

  tags = { Tier = "private" }
}

data "aws_iam_role" "clients" {
  name = "studio-workstations"
}

resource "aws_kms_key" "files" {
  description             = "Shared file systems of studio and their backups"
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

  tags = { Team = "studio" }
}

resource "aws_security_group" "nfs" {
  name        = "studio-files-${var.environment}-nfs"
  description = "NFS from the application subnets"
  vpc_id      = data.aws_vpc.main.id

  ingress {
    description = "NFS from application hosts"
    from_port   = 2049
    to_port     = 2049
    protocol    = "tcp"
    cidr_blocks = ["10.70.0.0/20"]
  }

  egress {
    description = "Replies inside the network"
    from_port   = 1024
    to_port     = 65535
    protocol    = "tcp"
    cidr_blocks = ["10.70.0.0/20"]
  }

  tags = { Team = "studio" }
}

resource "aws_efs_file_system" "home" {
  creation_token   = "studio-files-${var.environment}-home"
  encrypted        = true
  kms_key_id       = aws_kms_key.files.arn
  performance_mode = "generalPurpose"
  throughput_mode  = "elastic"

  lifecycle_policy {
    transition_to_ia = "AFTER_30_DAYS"
  }

  tags = { Name = "studio-files-${var.environment}-home" }
}

resource "aws_efs_access_point" "reports" {
  file_system_id = aws_efs_file_system.home.id

  posix_user {
    uid = 1500
    gid = 1500
  }

  root_directory {
    path = "/reports"

    creation_info {
      owner_uid   = 1500
      owner_gid   = 1500
      permissions = "0750"
    }
  }

  tags = { Team = "studio" }
}

data "aws_iam_policy_document" "home" {
  statement {
    sid       = "MountOverTlsThroughAccessPoint"
    effect    = "Allow"
    actions   = ["elasticfilesystem:ClientMount", "elasticfilesystem:ClientWrite"]
    resources = [aws_efs_file_system.home.arn]

    principals {
      type        = "AWS"
      identifiers = [data.aws_iam_role.clients.arn]
    }

    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = ["true"]
    }

    condition {
      test     = "StringEquals"
      variable = "elasticfilesystem:AccessPointArn"
      values   = [aws_efs_access_point.reports.arn]
    }
  }
}

resource "aws_efs_file_system_policy" "home" {
  file_system_id                     = aws_efs_file_system.home.id
  bypass_policy_lockout_safety_check = false
  policy                             = data.aws_iam_policy_document.home.json
}

# Scratch space for simulations. Results are copied to the home file system.
resource "aws_fsx_openzfs_file_system" "scratch" {
  storage_capacity                = 256
  subnet_ids                      = [data.aws_subnets.private.ids[0]]
  security_group_ids              = [aws_security_group.nfs.id]
  deployment_type                 = "SINGLE_AZ_1"
  throughput_capacity             = 128
  kms_key_id                      = aws_kms_key.files.arn
  automatic_backup_retention_days = 14
  copy_tags_to_backups            = true

  tags = { Name = "studio-files-${var.environment}-scratch" }
}
