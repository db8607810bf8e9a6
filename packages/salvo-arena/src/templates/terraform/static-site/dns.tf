# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
resource "aws_acm_certificate" "site" {
  domain_name       = "www.northwind.example"
  validation_method = "DNS"
  key_algorithm     = "EC_prime256v1"

  options {
    certificate_transparency_logging_preference = "ENABLED"
  }

  lifecycle {
    create_before_destroy = true
  }

  tags = { Environment = var.environment }
}

resource "aws_route53_zone" "site" {
  name    = "www.northwind.example"
  comment = "Public zone of the site"

  tags = { Environment = var.environment }
}

resource "aws_route53_key_signing_key" "site" {
  hosted_zone_id             = aws_route53_zone.site.zone_id
  key_management_service_arn = data.aws_kms_alias.signing.target_key_arn
  name                       = "site"
  status                     = "ACTIVE"
}

resource "aws_route53_hosted_zone_dnssec" "site" {
  hosted_zone_id = aws_route53_zone.site.zone_id
  signing_status = "SIGNING"

  depends_on = [aws_route53_key_signing_key.site]
}

resource "aws_route53_query_log" "site" {
  zone_id                  = aws_route53_zone.site.zone_id
  cloudwatch_log_group_arn = data.aws_cloudwatch_log_group.queries.arn
}
