# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

data "aws_cloudfront_cache_policy" "editions" {
  name = "editions"
}

data "terraform_remote_state" "editions" {
  backend = "s3"

  config = {
    bucket = "northwind-terraform-state"
    key    = "editions/terraform.tfstate"
    region = "eu-west-1"
  }
}

data "aws_acm_certificate" "portal" {
  domain      = "read.northwind.example"
  most_recent = true
}

data "aws_cloudwatch_log_group" "firewall" {
  name = "aws-waf-logs-portal"
}

data "aws_wafv2_web_acl" "regional" {
  name  = "portal-api"
  scope = "REGIONAL"
}

data "terraform_remote_state" "gateway" {
  backend = "s3"

  config = {
    bucket = "northwind-terraform-state"
    key    = "gateway/terraform.tfstate"
    region = "eu-west-1"
  }
}

resource "aws_kms_key" "main" {
  description             = "Accounts, bookmarks and logs of the reader portal"
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

  tags = { Product = "portal" }
}

resource "aws_cloudfront_response_headers_policy" "strict" {
  name = "${var.environment}-reader-strict"

  security_headers_config {
    strict_transport_security {
      access_control_max_age_sec = 63072000
      include_subdomains         = true
      preload                    = true
      override                   = true
    }

    content_type_options {
      override = true
    }

    frame_options {
      frame_option = "DENY"
      override     = true
    }

    content_security_policy {
      content_security_policy = "default-src 'self'"
      override                = true
    }
  }
}

resource "aws_cloudfront_distribution" "reader" {
  enabled             = true
  comment             = "Digital editions"
  default_root_object = "index.html"
  aliases             = ["read.northwind.example"]
  web_acl_id          = aws_wafv2_web_acl.reader.arn

  origin {
    origin_id                = "editions"
    domain_name              = "northwind-editions.s3.eu-west-1.amazonaws.com"
    origin_access_control_id = data.terraform_remote_state.editions.outputs.origin_access_control_id
  }

  default_cache_behavior {
    target_origin_id           = "editions"
    viewer_protocol_policy     = "https-only"
    allowed_methods            = ["GET", "HEAD"]
    cached_methods             = ["GET", "HEAD"]
    cache_policy_id            = data.aws_cloudfront_cache_policy.editions.id
    response_headers_policy_id = aws_cloudfront_response_headers_policy.strict.id
    trusted_key_groups         = [data.terraform_remote_state.editions.outputs.key_group_id]
  }

  logging_config {
    bucket = "northwind-access-logs.s3.amazonaws.com"
    prefix = "reader/"
  }

  restrictions {
    geo_restriction {
      restriction_type = "whitelist"
      locations        = ["CA", "FR", "BE", "CH"]
    }
  }

  viewer_certificate {
    acm_certificate_arn      = data.aws_acm_certificate.portal.arn
    ssl_support_method       = "sni-only"
    minimum_protocol_version = "TLSv1.2_2021"
  }

  tags = { Product = "portal" }
}

resource "aws_wafv2_web_acl" "reader" {
  name  = "${var.environment}-reader"
  scope = "CLOUDFRONT"

  default_action {
    allow {}
  }

  rule {
    name     = "known-bad-inputs"
    priority = 1

    override_action {
      none {}
    }

    statement {
      managed_rule_group_statement {
        vendor_name = "AWS"
        name        = "AWSManagedRulesKnownBadInputsRuleSet"
      }
    }

    visibility_config {
      cloudwatch_metrics_enabled = true
      metric_name                = "known-bad-inputs"
      sampled_requests_enabled   = true
    }
  }

  rule {
    name     = "anonymous-addresses"
    priority = 2

    override_action {
      none {}
    }

    statement {
      managed_rule_group_statement {
        vendor_name = "AWS"
        name        = "AWSManagedRulesAnonymousIpList"
      }
    }

    visibility_config {
      cloudwatch_metrics_enabled = true
      metric_name                = "anonymous-addresses"
      sampled_requests_enabled   = true
    }
  }

  rule {
    name     = "rate"
    priority = 3

    action {
      block {}
    }

    statement {
      rate_based_statement {
        limit              = 1000
        aggregate_key_type = "IP"
      }
    }

    visibility_config {
      cloudwatch_metrics_enabled = true
      metric_name                = "rate"
      sampled_requests_enabled   = true
    }
  }

  visibility_config {
    cloudwatch_metrics_enabled = true
    metric_name                = "reader"
    sampled_requests_enabled   = true
  }

  tags = { Product = "portal" }
}

resource "aws_wafv2_web_acl_logging_configuration" "reader" {
  resource_arn            = aws_wafv2_web_acl.reader.arn
  log_destination_configs = [data.aws_cloudwatch_log_group.firewall.arn]
}
