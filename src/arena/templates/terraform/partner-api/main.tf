data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

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

  tags = var.tags
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

  tags = var.tags
}

resource "aws_api_gateway_method" "get_rates" {
  rest_api_id          = aws_api_gateway_rest_api.partners.id
  resource_id          = aws_api_gateway_rest_api.partners.root_resource_id
  http_method          = "GET"
  authorization        = "AWS_IAM"
  api_key_required     = true
  request_validator_id = var.request_validator_id

  request_parameters = {
    "method.request.querystring.currency" = true
  }
}

resource "aws_cloudwatch_log_group" "access" {
  name              = "/api/partner-api-${var.environment}/access"
  retention_in_days = 365
  kms_key_id        = aws_kms_key.api.arn

  tags = var.tags
}

resource "aws_api_gateway_stage" "live" {
  rest_api_id           = aws_api_gateway_rest_api.partners.id
  deployment_id         = var.deployment_id
  stage_name            = "live"
  xray_tracing_enabled  = true
  cache_cluster_enabled = true
  cache_cluster_size    = "0.5"
  client_certificate_id = var.client_certificate_id

  access_log_settings {
    destination_arn = aws_cloudwatch_log_group.access.arn
    format          = "$context.requestId $context.identity.sourceIp $context.httpMethod $context.resourcePath $context.status"
  }

  tags = var.tags
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
  domain_name              = var.domain_name
  regional_certificate_arn = var.certificate_arn
  security_policy          = var.tls_version

  endpoint_configuration {
    types = ["REGIONAL"]
  }

  tags = var.tags
}

resource "aws_wafv2_web_acl_association" "partners" {
  resource_arn = aws_api_gateway_stage.live.arn
  web_acl_arn  = aws_wafv2_web_acl.partners.arn
}
