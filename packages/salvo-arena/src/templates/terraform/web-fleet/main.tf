# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}

data "aws_vpc" "main" {
  tags = { Name = "shop" }
}

data "aws_subnets" "private" {
  filter {
    name   = "vpc-id"
    values = [data.aws_vpc.main.id]
  }

  tags = { Tier = "private" }
}

data "aws_ssm_parameter" "image" {
  name = "/platform/images/hardened-linux"
}

data "aws_acm_certificate" "service" {
  domain      = "catalogue.northwind.example"
  most_recent = true
}

data "aws_iam_instance_profile" "service" {
  name = "catalogue"
}

resource "aws_kms_key" "disks" {
  description             = "Root volumes of catalogue-${var.environment}"
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
        Sid    = "AutoScalingVolumes"
        Effect = "Allow"
        Principal = {
          AWS = "arn:aws:iam::${data.aws_caller_identity.current.account_id}:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling"
        }
        Action   = ["kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:DescribeKey", "kms:CreateGrant"]
        Resource = "*"
      },
    ]
  })

  tags = { Service = "catalogue" }
}

resource "aws_security_group" "instances" {
  name        = "catalogue-${var.environment}-instances"
  description = "Application instances"
  vpc_id      = data.aws_vpc.main.id

  ingress {
    description     = "Application port from the load balancer"
    from_port       = 8443
    to_port         = 8443
    protocol        = "tcp"
    security_groups = [aws_security_group.load_balancer.id]
  }

  egress {
    description = "HTTPS to the interface endpoints"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = [data.aws_vpc.main.cidr_block]
  }

  tags = { Service = "catalogue" }
}

resource "aws_launch_template" "app" {
  name_prefix   = "catalogue-${var.environment}-"
  image_id      = data.aws_ssm_parameter.image.value
  instance_type = "m7g.large"
  ebs_optimized = true

  iam_instance_profile {
    arn = data.aws_iam_instance_profile.service.arn
  }

  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
    instance_metadata_tags      = "disabled"
  }

  monitoring {
    enabled = true
  }

  network_interfaces {
    associate_public_ip_address = false
    delete_on_termination       = true
    security_groups             = [aws_security_group.instances.id]
  }

  block_device_mappings {
    device_name = "/dev/xvda"

    ebs {
      volume_size           = 30
      volume_type           = "gp3"
      encrypted             = true
      kms_key_id            = aws_kms_key.disks.arn
      delete_on_termination = true
    }
  }

  tag_specifications {
    resource_type = "instance"
    tags          = { Name = "catalogue-${var.environment}" }
  }

  tags = { Service = "catalogue" }
}

resource "aws_autoscaling_group" "app" {
  name                      = "catalogue-${var.environment}"
  min_size                  = 3
  max_size                  = 9
  vpc_zone_identifier       = data.aws_subnets.private.ids
  target_group_arns         = [aws_lb_target_group.app.arn]
  health_check_type         = "ELB"
  health_check_grace_period = 120

  launch_template {
    id      = aws_launch_template.app.id
    version = aws_launch_template.app.latest_version
  }

  instance_refresh {
    strategy = "Rolling"
  }

  tag {
    key                 = "Service"
    value               = "catalogue"
    propagate_at_launch = true
  }
}

data "aws_iam_policy_document" "instance_trust" {
  statement {
    effect  = "Allow"
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["ec2.amazonaws.com"]
    }
  }
}

resource "aws_iam_role" "app" {
  name               = "catalogue-${var.environment}-instance"
  assume_role_policy = data.aws_iam_policy_document.instance_trust.json

  tags = { Service = "catalogue" }
}

data "aws_iam_policy_document" "app" {
  statement {
    sid       = "ReadOwnConfiguration"
    effect    = "Allow"
    actions   = ["ssm:GetParameter", "ssm:GetParametersByPath"]
    resources = ["arn:aws:ssm:*:${data.aws_caller_identity.current.account_id}:parameter/catalogue/*"]
  }
}

resource "aws_iam_role_policy" "app" {
  name   = "configuration"
  role   = aws_iam_role.app.id
  policy = data.aws_iam_policy_document.app.json
}
