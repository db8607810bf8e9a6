data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

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

  tags = var.tags
}

resource "aws_security_group" "load_balancer" {
  name        = "${var.environment}-learning-lb"
  description = "Internal load balancer"
  vpc_id      = var.vpc_id

  ingress {
    description = "HTTPS from the campus network"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = var.client_cidrs
  }

  tags = var.tags
}

resource "aws_lb" "app" {
  name                       = "${var.environment}-learning"
  load_balancer_type         = "application"
  internal                   = true
  subnets                    = var.private_subnet_ids
  security_groups            = [aws_security_group.load_balancer.id]
  drop_invalid_header_fields = true
  desync_mitigation_mode     = "strictest"
  enable_deletion_protection = true

  access_logs {
    bucket  = var.log_bucket
    prefix  = "${var.environment}-learning"
    enabled = true
  }

  tags = var.tags
}

resource "aws_lb_target_group" "app" {
  name        = "${var.environment}-learning"
  port        = 8443
  protocol    = "HTTPS"
  target_type = "ip"
  vpc_id      = var.vpc_id

  health_check {
    path     = "/status"
    protocol = "HTTPS"
  }

  tags = var.tags
}

resource "aws_lb_listener" "https" {
  load_balancer_arn = aws_lb.app.arn
  port              = 443
  protocol          = "HTTPS"
  ssl_policy        = "ELBSecurityPolicy-TLS13-1-2-2021-06"
  certificate_arn   = var.certificate_arn

  default_action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.app.arn
  }

  tags = var.tags
}

resource "aws_cloudwatch_log_group" "service" {
  name              = "/courses/${var.environment}-learning"
  retention_in_days = var.log_retention_days
  kms_key_id        = aws_kms_key.main.arn

  tags = var.tags
}

resource "aws_ecs_cluster" "main" {
  name = "${var.environment}-learning"

  setting {
    name  = "containerInsights"
    value = "enabled"
  }

  tags = var.tags
}

resource "aws_ecs_task_definition" "courses" {
  family                   = "${var.environment}-learning"
  requires_compatibilities = ["FARGATE"]
  network_mode             = "awsvpc"
  cpu                      = 1024
  memory                   = 2048
  execution_role_arn       = var.execution_role_arn
  task_role_arn            = var.task_role_arn

  container_definitions = jsonencode([
    {
      name                   = "courses"
      image                  = var.image
      essential              = true
      user                   = "1000"
      privileged             = false
      readonlyRootFilesystem = true
      portMappings           = [{ containerPort = 8443 }]
      secrets                = [{ name = "DATABASE_URL", valueFrom = var.database_secret_arn }]
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

  tags = var.tags
}

resource "aws_security_group" "tasks" {
  name        = "${var.environment}-learning-tasks"
  description = "Tasks of the learning platform"
  vpc_id      = var.vpc_id

  ingress {
    description     = "Requests from the load balancer"
    from_port       = 8443
    to_port         = 8443
    protocol        = "tcp"
    security_groups = [aws_security_group.load_balancer.id]
  }

  tags = var.tags
}

resource "aws_ecs_service" "courses" {
  name             = "${var.environment}-learning"
  cluster          = aws_ecs_cluster.main.id
  task_definition  = aws_ecs_task_definition.courses.arn
  desired_count    = 4
  launch_type      = "FARGATE"
  platform_version = "LATEST"

  network_configuration {
    subnets          = var.private_subnet_ids
    security_groups  = [aws_security_group.tasks.id]
    assign_public_ip = false
  }

  load_balancer {
    target_group_arn = aws_lb_target_group.app.arn
    container_name   = "courses"
    container_port   = 8443
  }

  tags = var.tags
}
