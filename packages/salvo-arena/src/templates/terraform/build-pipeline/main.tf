# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

data "aws_vpc" "main" {
  tags = { Name = "builds" }
}

data "aws_subnets" "private" {
  filter {
    name   = "vpc-id"
    values = [data.aws_vpc.main.id]
  }

  tags = { Tier = "private" }
}

data "aws_codestarconnections_connection" "source" {
  name = "northwind-source"
}

data "aws_iam_role" "pipeline" {
  name = "storefront-pipeline"
}

resource "aws_kms_key" "build" {
  description             = "Build artifacts, logs and images"
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
      {
        Sid       = "CloudWatchLogs"
        Effect    = "Allow"
        Principal = { Service = "logs.${data.aws_region.current.name}.amazonaws.com" }
        Action    = ["kms:Encrypt", "kms:Decrypt", "kms:GenerateDataKey*", "kms:DescribeKey"]
        Resource  = "*"
      },
    ]
  })

  tags = { Application = "storefront" }
}

resource "aws_s3_bucket" "artifacts" {
  bucket        = "storefront-${var.environment}-build-artifacts"
  force_destroy = false

  tags = { Application = "storefront" }
}

resource "aws_s3_bucket_versioning" "artifacts" {
  bucket = aws_s3_bucket.artifacts.id

  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_public_access_block" "artifacts" {
  bucket = aws_s3_bucket.artifacts.id

  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_lifecycle_configuration" "artifacts" {
  bucket = aws_s3_bucket.artifacts.id

  rule {
    id     = "tidy"
    status = "Enabled"

    filter {}

    noncurrent_version_expiration {
      noncurrent_days = 30
    }

    abort_incomplete_multipart_upload {
      days_after_initiation = 2
    }
  }
}

data "aws_iam_policy_document" "artifacts_bucket" {
  statement {
    sid       = "DenyPlainHttp"
    effect    = "Deny"
    actions   = ["s3:*"]
    resources = [aws_s3_bucket.artifacts.arn, "${aws_s3_bucket.artifacts.arn}/*"]

    principals {
      type        = "*"
      identifiers = ["*"]
    }

    condition {
      test     = "Bool"
      variable = "aws:SecureTransport"
      values   = ["false"]
    }
  }

  statement {
    sid       = "ReleaseReads"
    effect    = "Allow"
    actions   = ["s3:GetObject"]
    resources = ["${aws_s3_bucket.artifacts.arn}/*"]

    principals {
      type        = "AWS"
      identifiers = [data.aws_iam_role.pipeline.arn]
    }
  }
}

resource "aws_s3_bucket_policy" "artifacts" {
  bucket = aws_s3_bucket.artifacts.id
  policy = data.aws_iam_policy_document.artifacts_bucket.json
}

resource "aws_ecr_repository" "application" {
  name                 = "storefront"
  image_tag_mutability = "IMMUTABLE"

  image_scanning_configuration {
    scan_on_push = true
  }

  encryption_configuration {
    encryption_type = "KMS"
    kms_key         = aws_kms_key.build.arn
  }

  tags = { Application = "storefront" }
}

resource "aws_codeartifact_domain" "packages" {
  domain         = "storefront"
  encryption_key = aws_kms_key.build.arn

  tags = { Application = "storefront" }
}

resource "aws_cloudwatch_log_group" "build" {
  name              = "/codebuild/storefront-${var.environment}-build"
  retention_in_days = var.log_retention_days
  kms_key_id        = aws_kms_key.build.arn

  tags = { Application = "storefront" }
}

resource "aws_codebuild_project" "application" {
  name           = "storefront-${var.environment}-build"
  description    = "Compiles, checks and packages storefront"
  service_role   = aws_iam_role.build.arn
  encryption_key = aws_kms_key.build.arn
  build_timeout  = 30

  artifacts {
    type                = "CODEPIPELINE"
    encryption_disabled = false
  }

  environment {
    type            = "LINUX_CONTAINER"
    compute_type    = "BUILD_GENERAL1_MEDIUM"
    image           = "aws/codebuild/amazonlinux2-x86_64-standard:5.0"
    privileged_mode = false

    environment_variable {
      name  = "REGISTRY_TOKEN"
      type  = "SECRETS_MANAGER"
      value = "storefront/registry-token"
    }
  }

  logs_config {
    cloudwatch_logs {
      status     = "ENABLED"
      group_name = aws_cloudwatch_log_group.build.name
    }

    s3_logs {
      status              = "ENABLED"
      location            = "${aws_s3_bucket.artifacts.id}/logs"
      encryption_disabled = false
    }
  }

  source {
    type      = "CODEPIPELINE"
    buildspec = "buildspec.yml"
  }

  vpc_config {
    vpc_id             = data.aws_vpc.main.id
    subnets            = data.aws_subnets.private.ids
    security_group_ids = [aws_security_group.build.id]
  }

  tags = { Application = "storefront" }
}

resource "aws_security_group" "build" {
  name        = "storefront-${var.environment}-build"
  description = "Build containers, outbound only"
  vpc_id      = data.aws_vpc.main.id

  egress {
    description = "HTTPS to the proxy and the endpoints"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = [data.aws_vpc.main.cidr_block]
  }

  tags = { Application = "storefront" }
}

resource "aws_codepipeline" "application" {
  name          = "storefront-${var.environment}-build"
  role_arn      = data.aws_iam_role.pipeline.arn
  pipeline_type = "V2"

  artifact_store {
    type     = "S3"
    location = aws_s3_bucket.artifacts.bucket

    encryption_key {
      type = "KMS"
      id   = aws_kms_key.build.arn
    }
  }

  stage {
    name = "Source"

    action {
      name             = "Checkout"
      category         = "Source"
      owner            = "AWS"
      provider         = "CodeStarSourceConnection"
      version          = "1"
      output_artifacts = ["source"]

      configuration = {
        ConnectionArn    = data.aws_codestarconnections_connection.source.arn
        FullRepositoryId = "northwind/storefront"
        BranchName       = "main"
      }
    }
  }

  stage {
    name = "Build"

    action {
      name             = "Build"
      category         = "Build"
      owner            = "AWS"
      provider         = "CodeBuild"
      version          = "1"
      input_artifacts  = ["source"]
      output_artifacts = ["package"]

      configuration = {
        ProjectName = aws_codebuild_project.application.name
      }
    }
  }

  tags = { Application = "storefront" }
}
