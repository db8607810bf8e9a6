# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
resource "aws_cognito_user_pool" "readers" {
  name                     = "${var.environment}-reader-readers"
  mfa_configuration        = "ON"
  deletion_protection      = "ACTIVE"
  auto_verified_attributes = ["email"]
  username_attributes      = ["email"]

  software_token_mfa_configuration {
    enabled = true
  }

  password_policy {
    minimum_length    = 16
    require_lowercase = true
    require_uppercase = true
    require_numbers   = true
    require_symbols   = true
  }

  user_pool_add_ons {
    advanced_security_mode = "ENFORCED"
  }

  tags = { Product = "portal" }
}

resource "aws_dynamodb_table" "bookmarks" {
  name                        = "${var.environment}-reader-bookmarks"
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "reader"
  range_key                   = "edition"
  deletion_protection_enabled = true

  attribute {
    name = "reader"
    type = "S"
  }

  attribute {
    name = "edition"
    type = "S"
  }

  server_side_encryption {
    enabled     = true
    kms_key_arn = aws_kms_key.main.arn
  }

  point_in_time_recovery {
    enabled = true
  }

  tags = { Product = "portal" }
}

resource "aws_api_gateway_rest_api" "bookmarks" {
  name                         = "${var.environment}-reader-bookmarks"
  disable_execute_api_endpoint = true
  minimum_compression_size     = 1024

  endpoint_configuration {
    types = ["REGIONAL"]
  }

  lifecycle {
    create_before_destroy = true
  }

  tags = { Product = "portal" }
}

resource "aws_api_gateway_method" "list" {
  rest_api_id          = aws_api_gateway_rest_api.bookmarks.id
  resource_id          = aws_api_gateway_rest_api.bookmarks.root_resource_id
  http_method          = "GET"
  authorization        = "AWS_IAM"
  api_key_required     = true
  request_validator_id = data.terraform_remote_state.gateway.outputs.request_validator_id
}

resource "aws_cloudwatch_log_group" "access" {
  name              = "/api/${var.environment}-reader"
  retention_in_days = var.log_retention_days
  kms_key_id        = aws_kms_key.main.arn

  tags = { Product = "portal" }
}

resource "aws_api_gateway_stage" "v1" {
  rest_api_id           = aws_api_gateway_rest_api.bookmarks.id
  deployment_id         = data.terraform_remote_state.gateway.outputs.deployment_id
  stage_name            = "v1"
  xray_tracing_enabled  = true
  cache_cluster_enabled = true
  cache_cluster_size    = "0.5"
  client_certificate_id = data.terraform_remote_state.gateway.outputs.client_certificate_id

  access_log_settings {
    destination_arn = aws_cloudwatch_log_group.access.arn
    format          = "$context.requestId $context.identity.sourceIp $context.status"
  }

  tags = { Product = "portal" }
}

resource "aws_wafv2_web_acl_association" "bookmarks" {
  resource_arn = aws_api_gateway_stage.v1.arn
  web_acl_arn  = data.aws_wafv2_web_acl.regional.arn
}

resource "aws_api_gateway_method_settings" "v1" {
  rest_api_id = aws_api_gateway_rest_api.bookmarks.id
  stage_name  = aws_api_gateway_stage.v1.stage_name
  method_path = "*/*"

  settings {
    logging_level        = "ERROR"
    metrics_enabled      = true
    data_trace_enabled   = false
    caching_enabled      = true
    cache_data_encrypted = true
  }
}

resource "aws_api_gateway_domain_name" "bookmarks" {
  domain_name              = "api.read.northwind.example"
  regional_certificate_arn = data.aws_acm_certificate.portal.arn
  security_policy          = "TLS_1_2"

  endpoint_configuration {
    types = ["REGIONAL"]
  }

  tags = { Product = "portal" }
}

resource "aws_acm_certificate" "preview" {
  domain_name       = "preview.read.northwind.example"
  validation_method = "DNS"

  options {
    certificate_transparency_logging_preference = "ENABLED"
  }

  lifecycle {
    create_before_destroy = true
  }

  tags = { Product = "portal" }
}
