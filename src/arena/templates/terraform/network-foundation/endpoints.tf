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
