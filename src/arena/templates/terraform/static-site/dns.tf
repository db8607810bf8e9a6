resource "aws_acm_certificate" "site" {
  domain_name       = var.domain_name
  validation_method = "DNS"
  key_algorithm     = "EC_prime256v1"

  options {
    certificate_transparency_logging_preference = "ENABLED"
  }

  lifecycle {
    create_before_destroy = true
  }

  tags = local.tags
}

resource "aws_route53_zone" "site" {
  name    = var.domain_name
  comment = "Public zone of the site"

  tags = local.tags
}

resource "aws_route53_key_signing_key" "site" {
  hosted_zone_id             = aws_route53_zone.site.zone_id
  key_management_service_arn = var.signing_key_arn
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
  cloudwatch_log_group_arn = var.query_log_group_arn
}
