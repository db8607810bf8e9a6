resource "aws_security_group" "endpoints" {
  name        = "${local.name}-endpoints"
  description = "HTTPS to the interface endpoints"
  vpc_id      = aws_vpc.main.id

  tags = local.tags
}

resource "aws_vpc_security_group_ingress_rule" "endpoints_https" {
  security_group_id = aws_security_group.endpoints.id
  description       = "HTTPS from inside the network"
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
  cidr_ipv4         = var.cidr
}

resource "aws_vpc_security_group_ingress_rule" "endpoints_mail" {
  security_group_id = aws_security_group.endpoints.id
  description       = "Mail submission from inside the network"
  ip_protocol       = "tcp"
  from_port         = 587
  to_port           = 587
  cidr_ipv4         = var.cidr
}

resource "aws_vpc_endpoint" "interface" {
  for_each = toset(["secretsmanager", "ssm", "kms", "logs", "sqs", "email-smtp"])

  vpc_id              = aws_vpc.main.id
  service_name        = "com.amazonaws.${data.aws_region.current.name}.${each.key}"
  vpc_endpoint_type   = "Interface"
  private_dns_enabled = true
  subnet_ids          = [for subnet in aws_subnet.private : subnet.id]
  security_group_ids  = [aws_security_group.endpoints.id]

  tags = merge(local.tags, { Name = "${local.name}-${each.key}" })
}

resource "aws_vpc_endpoint" "s3" {
  vpc_id            = aws_vpc.main.id
  service_name      = "com.amazonaws.${data.aws_region.current.name}.s3"
  vpc_endpoint_type = "Gateway"
  route_table_ids   = [aws_route_table.private.id]
  policy            = data.aws_iam_policy_document.s3_endpoint.json

  tags = merge(local.tags, { Name = "${local.name}-s3" })
}

data "aws_iam_policy_document" "s3_endpoint" {
  statement {
    sid       = "OwnAccountOnly"
    effect    = "Allow"
    actions   = ["s3:GetObject", "s3:PutObject", "s3:ListBucket"]
    resources = ["arn:aws:s3:::${var.environment}-*", "arn:aws:s3:::${var.environment}-*/*"]

    principals {
      type        = "AWS"
      identifiers = ["arn:aws:iam::${data.aws_caller_identity.current.account_id}:root"]
    }
  }
}
