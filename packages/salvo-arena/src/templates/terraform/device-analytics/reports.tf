# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
resource "aws_opensearch_domain" "devices" {
  domain_name    = "devices-${var.environment}-search"
  engine_version = "OpenSearch_2.15"

  cluster_config {
    instance_type            = "m6g.large.search"
    instance_count           = 3
    dedicated_master_enabled = true
    dedicated_master_count   = 3
    dedicated_master_type    = "m6g.large.search"
    zone_awareness_enabled   = true

    zone_awareness_config {
      availability_zone_count = 3
    }
  }

  ebs_options {
    ebs_enabled = true
    volume_size = 200
  }

  encrypt_at_rest {
    enabled    = true
    kms_key_id = aws_kms_key.main.arn
  }

  node_to_node_encryption {
    enabled = true
  }

  domain_endpoint_options {
    enforce_https       = true
    tls_security_policy = "Policy-Min-TLS-1-2-PFS-2023-10"
  }

  advanced_security_options {
    enabled                        = true
    internal_user_database_enabled = false

    master_user_options {
      master_user_arn = data.aws_iam_role.search_admin.arn
    }
  }

  vpc_options {
    subnet_ids         = data.aws_subnets.private.ids
    security_group_ids = [aws_security_group.analytics.id]
  }

  log_publishing_options {
    log_type                 = "AUDIT_LOGS"
    enabled                  = true
    cloudwatch_log_group_arn = aws_cloudwatch_log_group.analytics.arn
  }

  log_publishing_options {
    log_type                 = "ES_APPLICATION_LOGS"
    enabled                  = true
    cloudwatch_log_group_arn = aws_cloudwatch_log_group.analytics.arn
  }

  tags = { Product = "telemetry" }
}

resource "aws_redshift_parameter_group" "reports" {
  name   = "devices-${var.environment}"
  family = "redshift-1.0"

  parameter {
    name  = "require_ssl"
    value = "true"
  }

  tags = { Product = "telemetry" }
}

resource "aws_redshift_cluster" "reports" {
  cluster_identifier                  = "devices-${var.environment}"
  database_name                       = "devices"
  port                                = 5440
  node_type                           = "ra3.large"
  master_username                     = "reports_owner"
  manage_master_password              = true
  encrypted                           = true
  kms_key_id                          = aws_kms_key.main.arn
  publicly_accessible                 = false
  enhanced_vpc_routing                = true
  allow_version_upgrade               = true
  automated_snapshot_retention_period = 7
  cluster_subnet_group_name           = "telemetry-warehouse"
  cluster_parameter_group_name        = aws_redshift_parameter_group.reports.name
  vpc_security_group_ids              = [aws_security_group.analytics.id]
  skip_final_snapshot                 = false
  final_snapshot_identifier           = "devices-${var.environment}-final"

  logging {
    enable               = true
    log_destination_type = "cloudwatch"
    log_exports          = ["connectionlog", "useractivitylog", "userlog"]
  }

  tags = { Product = "telemetry" }
}

resource "aws_glue_security_configuration" "reports" {
  name = "devices-${var.environment}"

  encryption_configuration {
    cloudwatch_encryption {
      cloudwatch_encryption_mode = "SSE-KMS"
      kms_key_arn                = aws_kms_key.main.arn
    }

    job_bookmarks_encryption {
      job_bookmarks_encryption_mode = "CSE-KMS"
      kms_key_arn                   = aws_kms_key.main.arn
    }

    s3_encryption {
      s3_encryption_mode = "SSE-KMS"
      kms_key_arn        = aws_kms_key.main.arn
    }
  }
}

resource "aws_athena_workgroup" "reports" {
  name = "devices-${var.environment}"

  configuration {
    enforce_workgroup_configuration    = true
    publish_cloudwatch_metrics_enabled = true

    result_configuration {
      output_location = "s3://northwind-query-results/reports/"

      encryption_configuration {
        encryption_option = "SSE_KMS"
        kms_key_arn       = aws_kms_key.main.arn
      }
    }
  }

  tags = { Product = "telemetry" }
}

resource "aws_sagemaker_notebook_instance" "reports" {
  name                   = "devices-${var.environment}-reports"
  role_arn               = data.aws_iam_role.notebooks.arn
  instance_type          = "ml.t3.medium"
  subnet_id              = data.aws_subnets.private.ids[0]
  security_groups        = [aws_security_group.analytics.id]
  kms_key_id             = aws_kms_key.main.arn
  direct_internet_access = "Disabled"
  root_access            = "Disabled"

  instance_metadata_service_configuration {
    minimum_instance_metadata_service_version = "2"
  }

  tags = { Product = "telemetry" }
}
