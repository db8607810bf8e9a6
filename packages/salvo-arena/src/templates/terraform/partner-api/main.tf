# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

data "aws_subnets" "private" {
  tags = { Network = "partners", Tier = "private" }
}

data "aws_acm_certificate" "api" {
  domain      = "rates.northwind.example"
  most_recent = true
}

data "terraform_remote_state" "gateway" {
  backend = "s3"

  config = {
    bucket = "northwind-terraform-state"
    key    = "gateway/terraform.tfstate"
    region = "eu-west-1"
  }
}

data "terraform_remote_state" "releases" {
  backend = "s3"

  config = {
    bucket = "northwind-terraform-state"
    key    = "releases/terraform.tfstate"
    region = "eu-west-1"
  }
}

data "aws_security_group" "function" {
  name = "rates-function"
}

data "aws_sqs_queue" "failures" {
  name = "rates-failures"
}

data "aws_wafv2_ip_set" "partners" {
  name  = "partners"
  scope = "REGIONAL"
}

resource "aws_kms_key" "api" {
  description             = "Logs and function settings of partner-api-${var.environment}"
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

  tags = { Environment = var.environment }
}

resource "aws_api_gateway_rest_api" "partners" {
  name                         = "partner-api-${var.environment}"
  description                  = "Rates and bookings for partners"
  disable_execute_api_endpoint = true
  minimum_compression_size     = 1024

  endpoint_configuration {
    types = ["REGIONAL"]
  }

  lifecycle {
    create_before_destroy = true
  }

  tags = { Environment = var.environment }
}

resource "aws_api_gateway_method" "get_rates" {
  rest_api_id          = aws_api_gateway_rest_api.partners.id
  resource_id          = aws_api_gateway_rest_api.partners.root_resource_id
  http_method          = "GET"
  authorization        = "AWS_IAM"
  api_key_required     = true
  request_validator_id = data.terraform_remote_state.gateway.outputs.request_validator_id

  request_parameters = {
    "method.request.querystring.currency" = true
  }
}

resource "aws_cloudwatch_log_group" "access" {
  name              = "/api/partner-api-${var.environment}/access"
  retention_in_days = 365
  kms_key_id        = aws_kms_key.api.arn

  tags = { Environment = var.environment }
}

resource "aws_api_gateway_stage" "live" {
  rest_api_id           = aws_api_gateway_rest_api.partners.id
  deployment_id         = data.terraform_remote_state.gateway.outputs.deployment_id
  stage_name            = "live"
  xray_tracing_enabled  = true
  cache_cluster_enabled = true
  cache_cluster_size    = "0.5"
  client_certificate_id = data.terraform_remote_state.gateway.outputs.client_certificate_id

  access_log_settings {
    destination_arn = aws_cloudwatch_log_group.access.arn
    format          = "$context.requestId $context.identity.sourceIp $context.httpMethod $context.resourcePath $context.status"
  }

  tags = { Environment = var.environment }
}

resource "aws_api_gateway_method_settings" "live" {
  rest_api_id = aws_api_gateway_rest_api.partners.id
  stage_name  = aws_api_gateway_stage.live.stage_name
  method_path = "*/*"

  settings {
    logging_level          = "INFO"
    metrics_enabled        = true
    data_trace_enabled     = false
    caching_enabled        = true
    cache_data_encrypted   = true
    throttling_rate_limit  = 50
    throttling_burst_limit = 100
  }
}

resource "aws_api_gateway_domain_name" "partners" {
  domain_name              = "rates.northwind.example"
  regional_certificate_arn = data.aws_acm_certificate.api.arn
  security_policy          = var.tls_version

  endpoint_configuration {
    types = ["REGIONAL"]
  }

  tags = { Environment = var.environment }
}

resource "aws_wafv2_web_acl_association" "partners" {
  resource_arn = aws_api_gateway_stage.live.arn
  web_acl_arn  = aws_wafv2_web_acl.partners.arn
}
