# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
resource "aws_security_group" "load_balancer" {
  name        = "catalogue-${var.environment}-lb"
  description = "Internal load balancer"
  vpc_id      = data.aws_vpc.main.id

  ingress {
    description = "HTTPS from the corporate network"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = ["10.16.0.0/14"]
  }

  ingress {
    description = "Status pages for the operators"
    from_port   = 8444
    to_port     = 8444
    protocol    = "tcp"
    cidr_blocks = [data.aws_vpc.main.cidr_block]
  }

  egress {
    description = "To the application port"
    from_port   = 8443
    to_port     = 8443
    protocol    = "tcp"
    cidr_blocks = [data.aws_vpc.main.cidr_block]
  }

  tags = { Service = "catalogue" }
}

resource "aws_lb" "app" {
  name                       = "catalogue-${var.environment}"
  load_balancer_type         = "application"
  internal                   = true
  subnets                    = data.aws_subnets.private.ids
  security_groups            = [aws_security_group.load_balancer.id]
  drop_invalid_header_fields = true
  desync_mitigation_mode     = "strictest"
  enable_deletion_protection = true

  access_logs {
    bucket  = "northwind-balancer-logs"
    prefix  = "catalogue-${var.environment}"
    enabled = true
  }

  tags = { Service = "catalogue" }
}

resource "aws_lb_target_group" "app" {
  name     = "catalogue-${var.environment}"
  port     = 8443
  protocol = "HTTPS"
  vpc_id   = data.aws_vpc.main.id

  health_check {
    path     = "/healthz"
    protocol = "HTTPS"
    matcher  = "200"
  }

  tags = { Service = "catalogue" }
}

resource "aws_lb_listener" "https" {
  load_balancer_arn = aws_lb.app.arn
  port              = 443
  protocol          = "HTTPS"
  ssl_policy        = var.ssl_policy
  certificate_arn   = data.aws_acm_certificate.service.arn

  default_action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.app.arn
  }

  tags = { Service = "catalogue" }
}
