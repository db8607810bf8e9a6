# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
resource "aws_security_group" "print_server" {
  name        = "branch-cork-${var.environment}-print"
  description = "Print server of the branch"
  vpc_id      = aws_vpc.branch.id

  ingress {
    description = "Printing from inside the network"
    from_port   = 631
    to_port     = 631
    protocol    = "tcp"
    cidr_blocks = [var.cidr]
  }

  egress {
    description = "Updates through headquarters"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = ["10.0.0.0/16"]
  }

  tags = { Site = "cork" }
}

resource "aws_instance" "print_server" {
  ami                         = data.aws_ssm_parameter.image.value
  instance_type               = "t3.small"
  subnet_id                   = aws_subnet.office[0].id
  vpc_security_group_ids      = [aws_security_group.print_server.id]
  iam_instance_profile        = data.aws_iam_instance_profile.host.name
  associate_public_ip_address = false
  monitoring                  = true
  ebs_optimized               = true

  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }

  root_block_device {
    volume_size = 20
    volume_type = "gp3"
    encrypted   = true
    kms_key_id  = aws_kms_key.main.arn
  }

  tags = { Name = "branch-cork-${var.environment}-print" }
}

resource "aws_ebs_volume" "spool" {
  availability_zone = var.zones[0]
  size              = 100
  type              = "gp3"
  encrypted         = true
  kms_key_id        = aws_kms_key.main.arn

  tags = { Site = "cork" }
}

resource "aws_launch_template" "kiosk" {
  name_prefix = "branch-cork-${var.environment}-kiosk-"
  image_id    = data.aws_ssm_parameter.image.value

  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }

  network_interfaces {
    associate_public_ip_address = false
    security_groups             = [aws_security_group.print_server.id]
  }

  block_device_mappings {
    device_name = "/dev/xvda"

    ebs {
      volume_size = 30
      encrypted   = true
      kms_key_id  = aws_kms_key.main.arn
    }
  }

  tags = { Site = "cork" }
}

resource "aws_autoscaling_group" "kiosk" {
  name                = "branch-cork-${var.environment}-kiosk"
  min_size            = 1
  max_size            = 4
  vpc_zone_identifier = aws_subnet.office[*].id
  health_check_type   = "EC2"

  mixed_instances_policy {
    launch_template {
      launch_template_specification {
        launch_template_id = aws_launch_template.kiosk.id
        version            = aws_launch_template.kiosk.latest_version
      }

      override {
        instance_type = "t3.small"
      }

      override {
        instance_type = "t3a.small"
      }
    }
  }

  tag {
    key                 = "Name"
    value               = "branch-cork-${var.environment}-kiosk"
    propagate_at_launch = true
  }
}
