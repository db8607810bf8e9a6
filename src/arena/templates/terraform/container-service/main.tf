data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

resource "aws_kms_key" "service" {
  description             = "Images, logs and exec sessions of ${var.service}-${var.environment}"
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

  tags = var.tags
}

resource "aws_ecr_repository" "service" {
  name                 = var.service
  image_tag_mutability = "IMMUTABLE"
  force_delete         = false

  image_scanning_configuration {
    scan_on_push = true
  }

  encryption_configuration {
    encryption_type = "KMS"
    kms_key         = aws_kms_key.service.arn
  }

  tags = var.tags
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
      identifiers = [var.build_role_arn]
    }
  }
}

resource "aws_cloudwatch_log_group" "service" {
  name              = "/ecs/${var.service}-${var.environment}"
  retention_in_days = var.log_retention_days
  kms_key_id        = aws_kms_key.service.arn

  tags = var.tags
}

resource "aws_ecs_cluster" "main" {
  name = "${var.service}-${var.environment}"

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

  tags = var.tags
}

resource "aws_security_group" "tasks" {
  name        = "${var.service}-${var.environment}-tasks"
  description = "Tasks of ${var.service}-${var.environment}"
  vpc_id      = var.vpc_id

  ingress {
    description     = "Requests from the load balancer"
    from_port       = 8443
    to_port         = 8443
    protocol        = "tcp"
    security_groups = [var.load_balancer_security_group_id]
  }

  egress {
    description = "HTTPS to the interface endpoints"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = [var.vpc_cidr]
  }

  egress {
    description = "NFS to the uploads file system"
    from_port   = 2049
    to_port     = 2049
    protocol    = "tcp"
    cidr_blocks = [var.vpc_cidr]
  }

  tags = var.tags
}

resource "aws_ecs_service" "service" {
  name                   = "${var.service}-${var.environment}"
  cluster                = aws_ecs_cluster.main.id
  task_definition        = aws_ecs_task_definition.service.arn
  desired_count          = 3
  launch_type            = "FARGATE"
  platform_version       = "LATEST"
  enable_execute_command = false
  propagate_tags         = "SERVICE"

  network_configuration {
    subnets          = var.private_subnet_ids
    security_groups  = [aws_security_group.tasks.id]
    assign_public_ip = false
  }

  load_balancer {
    target_group_arn = var.target_group_arn
    container_name   = var.service
    container_port   = 8443
  }

  deployment_circuit_breaker {
    enable   = true
    rollback = true
  }

  tags = var.tags
}
