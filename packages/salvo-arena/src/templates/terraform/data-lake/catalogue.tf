# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
resource "aws_glue_data_catalog_encryption_settings" "catalogue" {
  data_catalog_encryption_settings {
    connection_password_encryption {
      return_connection_password_encrypted = true
      aws_kms_key_id                       = aws_kms_key.lake.arn
    }

    encryption_at_rest {
      catalog_encryption_mode = "SSE-KMS"
      sse_aws_kms_key_id      = aws_kms_key.lake.arn
    }
  }
}

resource "aws_glue_security_configuration" "jobs" {
  name = "northwind-lake-${var.environment}"

  encryption_configuration {
    cloudwatch_encryption {
      cloudwatch_encryption_mode = "SSE-KMS"
      kms_key_arn                = aws_kms_key.lake.arn
    }

    job_bookmarks_encryption {
      job_bookmarks_encryption_mode = "CSE-KMS"
      kms_key_arn                   = aws_kms_key.lake.arn
    }

    s3_encryption {
      s3_encryption_mode = "SSE-KMS"
      kms_key_arn        = aws_kms_key.lake.arn
    }
  }
}

resource "aws_glue_crawler" "curated" {
  name                   = "northwind-lake-${var.environment}-curated"
  database_name          = "sales"
  role                   = aws_iam_role.jobs.arn
  schedule               = "cron(15 4 * * ? *)"
  security_configuration = aws_glue_security_configuration.jobs.name

  s3_target {
    path = "s3://${aws_s3_bucket.lake.bucket}/curated/"
  }

  tags = { Team = "data" }
}

resource "aws_glue_job" "curate" {
  name                   = "northwind-lake-${var.environment}-curate"
  role_arn               = aws_iam_role.jobs.arn
  glue_version           = "5.0"
  worker_type            = "G.1X"
  number_of_workers      = 4
  timeout                = 60
  security_configuration = aws_glue_security_configuration.jobs.name

  command {
    script_location = "s3://${aws_s3_bucket.lake.bucket}/scripts/curate.py"
    python_version  = "3"
  }

  default_arguments = {
    "--enable-continuous-cloudwatch-log" = "true"
    "--job-bookmark-option"              = "job-bookmark-enable"
  }

  tags = { Team = "data" }
}

resource "aws_athena_workgroup" "analysts" {
  name          = "analysts"
  state         = "ENABLED"
  force_destroy = false

  configuration {
    enforce_workgroup_configuration    = true
    publish_cloudwatch_metrics_enabled = true
    bytes_scanned_cutoff_per_query     = 1099511627776

    result_configuration {
      output_location = "s3://${aws_s3_bucket.lake.bucket}/results/"

      encryption_configuration {
        encryption_option = "SSE_KMS"
        kms_key_arn       = aws_kms_key.lake.arn
      }
    }
  }

  tags = { Team = "data" }
}

resource "aws_athena_database" "sandbox" {
  name          = "sandbox"
  bucket        = aws_s3_bucket.lake.id
  force_destroy = false

  encryption_configuration {
    encryption_option = "SSE_KMS"
    kms_key           = aws_kms_key.lake.arn
  }
}

data "aws_iam_policy_document" "jobs_trust" {
  statement {
    effect  = "Allow"
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["glue.amazonaws.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = [data.aws_caller_identity.current.account_id]
    }
  }
}

resource "aws_iam_role" "jobs" {
  name               = "northwind-lake-${var.environment}-jobs"
  assume_role_policy = data.aws_iam_policy_document.jobs_trust.json

  tags = { Team = "data" }
}

data "aws_iam_policy_document" "jobs" {
  statement {
    sid       = "ReadWriteLake"
    effect    = "Allow"
    actions   = ["s3:GetObject", "s3:PutObject"]
    resources = ["${aws_s3_bucket.lake.arn}/*"]
  }

  statement {
    sid       = "ListLake"
    effect    = "Allow"
    actions   = ["s3:ListBucket"]
    resources = [aws_s3_bucket.lake.arn]
  }

  statement {
    sid       = "UseKey"
    effect    = "Allow"
    actions   = ["kms:Decrypt", "kms:GenerateDataKey"]
    resources = [aws_kms_key.lake.arn]
  }

  statement {
    sid         = "NothingElse"
    effect      = "Deny"
    not_actions = ["s3:GetObject", "s3:PutObject", "s3:ListBucket", "kms:Decrypt", "kms:GenerateDataKey"]
    resources   = ["*"]
  }
}

resource "aws_iam_role_policy" "jobs" {
  name   = "lake"
  role   = aws_iam_role.jobs.id
  policy = data.aws_iam_policy_document.jobs.json
}
