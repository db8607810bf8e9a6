# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
resource "aws_backup_vault" "files" {
  name          = "studio-files-${var.environment}"
  kms_key_arn   = aws_kms_key.files.arn
  force_destroy = false

  tags = { Team = "studio" }
}

resource "aws_backup_vault_lock_configuration" "files" {
  backup_vault_name   = aws_backup_vault.files.name
  changeable_for_days = 7
  min_retention_days  = 14
  max_retention_days  = 400
}

data "aws_iam_policy_document" "backup_trust" {
  statement {
    effect  = "Allow"
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["backup.amazonaws.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = [data.aws_caller_identity.current.account_id]
    }
  }
}

resource "aws_iam_role" "backup" {
  name               = "studio-files-${var.environment}-backup"
  assume_role_policy = data.aws_iam_policy_document.backup_trust.json

  tags = { Team = "studio" }
}

resource "aws_iam_role_policy_attachment" "backup" {
  role       = aws_iam_role.backup.name
  policy_arn = "arn:aws:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup"
}
