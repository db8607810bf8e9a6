# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
resource "aws_security_group" "workbench" {
  name        = "forecast-ml-${var.environment}"
  description = "Notebooks and endpoints, outbound only"
  vpc_id      = data.aws_vpc.main.id

  egress {
    description = "HTTPS to the interface endpoints"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = [data.aws_vpc.main.cidr_block]
  }

  tags = { Team = "forecast" }
}

resource "aws_sagemaker_notebook_instance" "exploration" {
  name                   = "forecast-ml-${var.environment}-exploration"
  role_arn               = aws_iam_role.science.arn
  instance_type          = "ml.t3.large"
  volume_size            = 50
  subnet_id              = data.aws_subnets.private.ids[0]
  security_groups        = [aws_security_group.workbench.id]
  kms_key_id             = aws_kms_key.ml.arn
  direct_internet_access = "Disabled"
  root_access            = "Disabled"

  instance_metadata_service_configuration {
    minimum_instance_metadata_service_version = "2"
  }

  tags = { Team = "forecast" }
}

resource "aws_sagemaker_model" "forecast" {
  name                     = "forecast-ml-${var.environment}-forecast"
  execution_role_arn       = aws_iam_role.science.arn
  enable_network_isolation = true

  primary_container {
    image          = data.aws_ssm_parameter.model_image.value
    model_data_url = "s3://${aws_s3_bucket.data.bucket}/models/forecast.tar.gz"
  }

  vpc_config {
    subnets            = data.aws_subnets.private.ids
    security_group_ids = [aws_security_group.workbench.id]
  }

  tags = { Team = "forecast" }
}

resource "aws_sagemaker_endpoint_configuration" "forecast" {
  name        = "forecast-ml-${var.environment}-forecast"
  kms_key_arn = aws_kms_key.ml.arn

  production_variants {
    variant_name           = "main"
    model_name             = aws_sagemaker_model.forecast.name
    instance_type          = "ml.m5.large"
    initial_instance_count = 2
  }

  data_capture_config {
    enable_capture              = true
    initial_sampling_percentage = 20
    destination_s3_uri          = "s3://${aws_s3_bucket.data.bucket}/captured/"
    kms_key_id                  = aws_kms_key.ml.arn

    capture_options {
      capture_mode = "Input"
    }
  }

  tags = { Team = "forecast" }
}

# Features the models read; a small online store beside the notebooks.
resource "aws_dynamodb_table" "features" {
  name                        = "forecast-ml-${var.environment}-features"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "entity"
  deletion_protection_enabled = true

  attribute {
    name = "entity"
    type = "S"
  }

  server_side_encryption {
    enabled     = true
    kms_key_arn = aws_kms_key.ml.arn
  }

  point_in_time_recovery {
    enabled = true
  }

  tags = { Team = "forecast" }
}

resource "aws_ecr_repository" "models" {
  name                 = "forecast-ml-${var.environment}-models"
  image_tag_mutability = "IMMUTABLE"

  image_scanning_configuration {
    scan_on_push = true
  }

  encryption_configuration {
    encryption_type = "KMS"
    kms_key         = aws_kms_key.ml.arn
  }

  tags = { Team = "forecast" }
}
