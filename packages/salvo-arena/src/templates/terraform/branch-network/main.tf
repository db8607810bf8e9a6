# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

data "aws_iam_role" "flow_logs" {
  name = "branch-flow-logs"
}

data "aws_ssm_parameter" "image" {
  name = "/platform/images/hardened-linux"
}

data "aws_iam_instance_profile" "host" {
  name = "branch-server"
}

resource "aws_kms_key" "main" {
  description             = "Disks and traffic records of the branch"
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

  tags = { Site = "cork" }
}

resource "aws_vpc" "branch" {
  cidr_block           = var.cidr
  enable_dns_support   = true
  enable_dns_hostnames = true

  tags = { Name = "branch-cork-${var.environment}" }
}

resource "aws_default_security_group" "branch" {
  vpc_id  = aws_vpc.branch.id
  ingress = []
  egress  = []

  tags = { Site = "cork" }
}

resource "aws_subnet" "office" {
  count = length(var.zones)

  vpc_id                  = aws_vpc.branch.id
  availability_zone       = var.zones[count.index]
  cidr_block              = cidrsubnet(var.cidr, 3, count.index)
  map_public_ip_on_launch = false

  tags = { Name = "branch-cork-${var.environment}-office-${count.index}" }
}

resource "aws_network_acl" "office" {
  vpc_id     = aws_vpc.branch.id
  subnet_ids = aws_subnet.office[*].id

  ingress {
    rule_no    = 100
    action     = "allow"
    protocol   = "tcp"
    cidr_block = "10.0.0.0/16"
    from_port  = 443
    to_port    = 443
  }

  egress {
    rule_no    = 100
    action     = "allow"
    protocol   = "tcp"
    cidr_block = "10.0.0.0/16"
    from_port  = 32768
    to_port    = 60999
  }

  tags = { Site = "cork" }
}

resource "aws_network_acl_rule" "printing" {
  network_acl_id = aws_network_acl.office.id
  rule_number    = 120
  egress         = false
  rule_action    = "allow"
  protocol       = "tcp"
  cidr_block     = var.cidr
  from_port      = 631
  to_port        = 631
}

resource "aws_cloudwatch_log_group" "flow" {
  name              = "/network/branch-cork-${var.environment}"
  retention_in_days = 400
  kms_key_id        = aws_kms_key.main.arn

  tags = { Site = "cork" }
}

resource "aws_flow_log" "branch" {
  vpc_id          = aws_vpc.branch.id
  traffic_type    = "ALL"
  log_destination = aws_cloudwatch_log_group.flow.arn
  iam_role_arn    = data.aws_iam_role.flow_logs.arn

  tags = { Site = "cork" }
}
