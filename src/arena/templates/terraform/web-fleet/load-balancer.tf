resource "aws_security_group" "load_balancer" {
  name        = "${var.service}-${var.environment}-lb"
  description = "Internal load balancer"
  vpc_id      = var.vpc_id

  ingress {
    description = "HTTPS from the corporate network"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = var.client_cidrs
  }

  ingress {
    description = "Status pages for the operators"
    from_port   = 8444
    to_port     = 8444
    protocol    = "tcp"
    cidr_blocks = [var.vpc_cidr]
  }

  egress {
    description = "To the application port"
    from_port   = 8443
    to_port     = 8443
    protocol    = "tcp"
    cidr_blocks = [var.vpc_cidr]
  }

  tags = var.tags
}

resource "aws_lb" "app" {
  name                       = "${var.service}-${var.environment}"
  load_balancer_type         = "application"
  internal                   = true
  subnets                    = var.private_subnet_ids
  security_groups            = [aws_security_group.load_balancer.id]
  drop_invalid_header_fields = true
  desync_mitigation_mode     = "strictest"
  enable_deletion_protection = true

  access_logs {
    bucket  = var.log_bucket
    prefix  = "${var.service}-${var.environment}"
    enabled = true
  }

  tags = var.tags
}

resource "aws_lb_target_group" "app" {
  name     = "${var.service}-${var.environment}"
  port     = 8443
  protocol = "HTTPS"
  vpc_id   = var.vpc_id

  health_check {
    path     = "/healthz"
    protocol = "HTTPS"
    matcher  = "200"
  }

  tags = var.tags
}

resource "aws_lb_listener" "https" {
  load_balancer_arn = aws_lb.app.arn
  port              = 443
  protocol          = "HTTPS"
  ssl_policy        = var.ssl_policy
  certificate_arn   = var.certificate_arn

  default_action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.app.arn
  }

  tags = var.tags
}
