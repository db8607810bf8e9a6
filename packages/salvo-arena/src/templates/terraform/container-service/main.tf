# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

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

data "aws_security_group" "load_balancer" {
  name = "shop-load-balancer"
}

data "aws_lb_target_group" "service" {
  name = "checkout"
}

data "aws_iam_role" "build" {
  name = "checkout-build"
}

data "terraform_remote_state" "uploads" {
  backend = "s3"

  config = {
    bucket = "northwind-terraform-state"
    key    = "uploads/terraform.tfstate"
    region = "eu-west-1"
  }
}

data "aws_lambda_function" "rotation" {
  function_name = "database-user-rotation"
}

resource "aws_kms_key" "service" {
  description             = "Images, logs and exec sessions of checkout-${var.environment}"
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

  tags = { Service = "checkout" }
}

resource "aws_ecr_repository" "service" {
  name                 = "checkout"
  image_tag_mutability = "IMMUTABLE"
  force_delete         = false

  image_scanning_configuration {
    scan_on_push = true
  }

  encryption_configuration {
    encryption_type = "KMS"
    kms_key         = aws_kms_key.service.arn
  }

  tags = { Service = "checkout" }
}

resource "aws_ecr_repository_policy" "service" {
  repository = aws_ecr_repository.service.name
  policy     = data.aws_iam_policy_document.repository.json
}

data "aws_iam_policy_document" "repository" {
  statement {
    sid     = "BuildPushes"
    effect  = "Allow"
    actions = ["ecr:BatchCheckLayerAvailability", "ecr:InitiateLayerUpload", "ecr:UploadLayerPart", "ecr:CompleteLayerUpload", "ecr:PutImage"]

    principals {
      type        = "AWS"
      identifiers = [data.aws_iam_role.build.arn]
    }
  }
}

resource "aws_cloudwatch_log_group" "service" {
  name              = "/ecs/checkout-${var.environment}"
  retention_in_days = var.log_retention_days
  kms_key_id        = aws_kms_key.service.arn

  tags = { Service = "checkout" }
}

resource "aws_ecs_cluster" "main" {
  name = "checkout-${var.environment}"

  setting {
    name  = "containerInsights"
    value = "enabled"
  }

  configuration {
    execute_command_configuration {
      kms_key_id = aws_kms_key.service.arn
      logging    = "OVERRIDE"

      log_configuration {
        cloud_watch_encryption_enabled = true
        cloud_watch_log_group_name     = aws_cloudwatch_log_group.service.name
      }
    }
  }

  tags = { Service = "checkout" }
}

resource "aws_security_group" "tasks" {
  name        = "checkout-${var.environment}-tasks"
  description = "Tasks of checkout-${var.environment}"
  vpc_id      = data.aws_vpc.main.id

  ingress {
    description     = "Requests from the load balancer"
    from_port       = 8443
    to_port         = 8443
    protocol        = "tcp"
    security_groups = [data.aws_security_group.load_balancer.id]
  }

  egress {
    description = "HTTPS to the interface endpoints"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = [data.aws_vpc.main.cidr_block]
  }

  egress {
    description = "NFS to the uploads file system"
    from_port   = 2049
    to_port     = 2049
    protocol    = "tcp"
    cidr_blocks = [data.aws_vpc.main.cidr_block]
  }

  tags = { Service = "checkout" }
}

resource "aws_ecs_service" "service" {
  name                   = "checkout-${var.environment}"
  cluster                = aws_ecs_cluster.main.id
  task_definition        = aws_ecs_task_definition.service.arn
  desired_count          = 3
  launch_type            = "FARGATE"
  platform_version       = "LATEST"
  enable_execute_command = false
  propagate_tags         = "SERVICE"

  network_configuration {
    subnets          = data.aws_subnets.private.ids
    security_groups  = [aws_security_group.tasks.id]
    assign_public_ip = false
  }

  load_balancer {
    target_group_arn = data.aws_lb_target_group.service.arn
    container_name   = "checkout"
    container_port   = 8443
  }

  deployment_circuit_breaker {
    enable   = true
    rollback = true
  }

  tags = { Service = "checkout" }
}
