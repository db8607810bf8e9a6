# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

data "aws_vpc" "main" {
  tags = { Name = "learning" }
}

data "aws_subnets" "private" {
  filter {
    name   = "vpc-id"
    values = [data.aws_vpc.main.id]
  }

  tags = { Tier = "private" }
}

data "aws_acm_certificate" "courses" {
  domain      = "courses.northwind.example"
  most_recent = true
}

data "aws_iam_role" "execution" {
  name = "courses-execution"
}

data "aws_iam_role" "task" {
  name = "courses-task"
}

data "aws_ssm_parameter" "image" {
  name = "/courses/image"
}

data "aws_secretsmanager_secret" "database" {
  name = "courses/database-url"
}

data "aws_iam_role" "monitoring" {
  name = "rds-monitoring"
}

resource "aws_kms_key" "main" {
  description             = "Courses, sessions and uploads of the learning platform"
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

  tags = { Product = "courses" }
}

resource "aws_security_group" "load_balancer" {
  name        = "${var.environment}-learning-lb"
  description = "Internal load balancer"
  vpc_id      = data.aws_vpc.main.id

  ingress {
    description = "HTTPS from the campus network"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = ["10.52.0.0/16"]
  }

  tags = { Product = "courses" }
}

resource "aws_lb" "app" {
  name                       = "${var.environment}-learning"
  load_balancer_type         = "application"
  internal                   = true
  subnets                    = data.aws_subnets.private.ids
  security_groups            = [aws_security_group.load_balancer.id]
  drop_invalid_header_fields = true
  desync_mitigation_mode     = "strictest"
  enable_deletion_protection = true

  access_logs {
    bucket  = "northwind-balancer-logs"
    prefix  = "${var.environment}-learning"
    enabled = true
  }

  tags = { Product = "courses" }
}

resource "aws_lb_target_group" "app" {
  name        = "${var.environment}-learning"
  port        = 8443
  protocol    = "HTTPS"
  target_type = "ip"
  vpc_id      = data.aws_vpc.main.id

  health_check {
    path     = "/status"
    protocol = "HTTPS"
  }

  tags = { Product = "courses" }
}

resource "aws_lb_listener" "https" {
  load_balancer_arn = aws_lb.app.arn
  port              = 443
  protocol          = "HTTPS"
  ssl_policy        = "ELBSecurityPolicy-TLS13-1-2-2021-06"
  certificate_arn   = data.aws_acm_certificate.courses.arn

  default_action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.app.arn
  }

  tags = { Product = "courses" }
}

resource "aws_cloudwatch_log_group" "service" {
  name              = "/courses/${var.environment}-learning"
  retention_in_days = var.log_retention_days
  kms_key_id        = aws_kms_key.main.arn

  tags = { Product = "courses" }
}

resource "aws_ecs_cluster" "main" {
  name = "${var.environment}-learning"

  setting {
    name  = "containerInsights"
    value = "enabled"
  }

  tags = { Product = "courses" }
}

resource "aws_ecs_task_definition" "courses" {
  family                   = "${var.environment}-learning"
  requires_compatibilities = ["FARGATE"]
  network_mode             = "awsvpc"
  cpu                      = 1024
  memory                   = 2048
  execution_role_arn       = data.aws_iam_role.execution.arn
  task_role_arn            = data.aws_iam_role.task.arn

  container_definitions = jsonencode([
    {
      name                   = "courses"
      image                  = data.aws_ssm_parameter.image.value
      essential              = true
      user                   = "1000"
      privileged             = false
      readonlyRootFilesystem = true
      portMappings           = [{ containerPort = 8443 }]
      secrets                = [{ name = "DATABASE_URL", valueFrom = data.aws_secretsmanager_secret.database.arn }]
      healthCheck = {
        command  = ["CMD", "/app/healthcheck"]
        interval = 30
        retries  = 3
      }
      logConfiguration = {
        logDriver = "awslogs"
        options = {
          "awslogs-group"         = aws_cloudwatch_log_group.service.name
          "awslogs-region"        = data.aws_region.current.name
          "awslogs-stream-prefix" = "courses"
        }
      }
    }
  ])

  volume {
    name = "uploads"

    efs_volume_configuration {
      file_system_id     = aws_efs_file_system.uploads.id
      transit_encryption = "ENABLED"
    }
  }

  tags = { Product = "courses" }
}

resource "aws_security_group" "tasks" {
  name        = "${var.environment}-learning-tasks"
  description = "Tasks of the learning platform"
  vpc_id      = data.aws_vpc.main.id

  ingress {
    description     = "Requests from the load balancer"
    from_port       = 8443
    to_port         = 8443
    protocol        = "tcp"
    security_groups = [aws_security_group.load_balancer.id]
  }

  tags = { Product = "courses" }
}

resource "aws_ecs_service" "courses" {
  name             = "${var.environment}-learning"
  cluster          = aws_ecs_cluster.main.id
  task_definition  = aws_ecs_task_definition.courses.arn
  desired_count    = 4
  launch_type      = "FARGATE"
  platform_version = "LATEST"

  network_configuration {
    subnets          = data.aws_subnets.private.ids
    security_groups  = [aws_security_group.tasks.id]
    assign_public_ip = false
  }

  load_balancer {
    target_group_arn = aws_lb_target_group.app.arn
    container_name   = "courses"
    container_port   = 8443
  }

  tags = { Product = "courses" }
}
