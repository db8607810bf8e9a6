# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

resource "aws_vpc" "main" {
  cidr_block           = var.cidr
  enable_dns_support   = true
  enable_dns_hostnames = true

  tags = { Name = "${var.environment}-core" }
}

# Nothing uses the default group, and it lets nothing through.
resource "aws_default_security_group" "closed" {
  vpc_id = aws_vpc.main.id

  tags = { Name = "${var.environment}-core-default-closed" }
}

resource "aws_subnet" "public" {
  for_each = { for index, zone in var.zones : zone => cidrsubnet(var.cidr, 8, index) }

  vpc_id                  = aws_vpc.main.id
  availability_zone       = each.key
  cidr_block              = each.value
  map_public_ip_on_launch = false

  tags = { Name = "${var.environment}-core-public-${each.key}" }
}

resource "aws_subnet" "private" {
  for_each = { for index, zone in var.zones : zone => cidrsubnet(var.cidr, 4, index + 1) }

  vpc_id                  = aws_vpc.main.id
  availability_zone       = each.key
  cidr_block              = each.value
  map_public_ip_on_launch = false

  tags = { Name = "${var.environment}-core-private-${each.key}" }
}

resource "aws_network_acl" "private" {
  vpc_id     = aws_vpc.main.id
  subnet_ids = [for subnet in aws_subnet.private : subnet.id]

  ingress {
    rule_no    = 100
    action     = "allow"
    protocol   = "tcp"
    cidr_block = var.cidr
    from_port  = 443
    to_port    = 443
  }

  ingress {
    rule_no    = 110
    action     = "allow"
    protocol   = "tcp"
    cidr_block = "0.0.0.0/0"
    from_port  = 32768
    to_port    = 60999
  }

  egress {
    rule_no    = 100
    action     = "allow"
    protocol   = "tcp"
    cidr_block = "0.0.0.0/0"
    from_port  = 443
    to_port    = 443
  }

  egress {
    rule_no    = 110
    action     = "allow"
    protocol   = "tcp"
    cidr_block = var.cidr
    from_port  = 32768
    to_port    = 60999
  }

  tags = { Name = "${var.environment}-core-private" }
}

resource "aws_network_acl_rule" "private_postgres" {
  network_acl_id = aws_network_acl.private.id
  rule_number    = 120
  egress         = false
  rule_action    = "allow"
  protocol       = "tcp"
  cidr_block     = var.cidr
  from_port      = 5432
  to_port        = 5432
}
