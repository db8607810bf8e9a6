module "vpc" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "5.8.1"

  name            = "orders-${var.environment}"
  cidr            = "10.21.0.0/16"
  azs             = ["eu-west-1a", "eu-west-1b"]
  private_subnets = ["10.21.1.0/24", "10.21.2.0/24"]
  enable_flow_log = true
}

resource "aws_security_group" "api" {
  name        = "api-${var.environment}"
  description = "The order API behind the load balancer"
  vpc_id      = module.vpc.vpc_id

  ingress {
    description = "HTTPS from the office"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = [var.office_cidr]
  }

  egress {
    description = "The database"
    from_port   = 5432
    to_port     = 5432
    protocol    = "tcp"
    cidr_blocks = ["10.21.0.0/16"]
  }
}

resource "aws_security_group" "database" {
  name        = "database-${var.environment}"
  description = "The order database"
  vpc_id      = module.vpc.vpc_id
}

resource "aws_security_group_rule" "database" {
  type                     = "ingress"
  description              = "PostgreSQL from the API"
  from_port                = 5432
  to_port                  = 5432
  protocol                 = "tcp"
  security_group_id        = aws_security_group.database.id
  source_security_group_id = aws_security_group.api.id
}
