# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
resource "aws_ecs_task_definition" "service" {
  family                   = "checkout-${var.environment}"
  requires_compatibilities = ["FARGATE"]
  network_mode             = "awsvpc"
  cpu                      = 512
  memory                   = 1024
  execution_role_arn       = aws_iam_role.execution.arn
  task_role_arn            = aws_iam_role.task.arn

  container_definitions = jsonencode([
    {
      name                   = "checkout"
      image                  = "${aws_ecr_repository.service.repository_url}:2.14.0"
      essential              = true
      user                   = "10001"
      privileged             = false
      readonlyRootFilesystem = true
      portMappings           = [{ containerPort = 8443, protocol = "tcp" }]
      environment            = [{ name = "LOG_LEVEL", value = "info" }]
      secrets                = [{ name = "DATABASE_URL", valueFrom = aws_secretsmanager_secret.database.arn }]
      linuxParameters = {
        initProcessEnabled = true
        capabilities       = { drop = ["ALL"] }
      }
      healthCheck = {
        command  = ["CMD", "/app/healthcheck"]
        interval = 30
        retries  = 3
      }
      mountPoints = [{ sourceVolume = "uploads", containerPath = "/data", readOnly = false }]
      logConfiguration = {
        logDriver = "awslogs"
        options = {
          "awslogs-group"         = aws_cloudwatch_log_group.service.name
          "awslogs-region"        = data.aws_region.current.name
          "awslogs-stream-prefix" = "app"
        }
      }
    }
  ])

  volume {
    name = "uploads"

    efs_volume_configuration {
      file_system_id     = data.terraform_remote_state.uploads.outputs.file_system_id
      transit_encryption = "ENABLED"

      authorization_config {
        access_point_id = data.terraform_remote_state.uploads.outputs.access_point_id
        iam             = "ENABLED"
      }
    }
  }

  tags = { Service = "checkout" }
}

resource "aws_secretsmanager_secret" "database" {
  name                    = "checkout-${var.environment}/database-url"
  description             = "Connection string of the service"
  kms_key_id              = aws_kms_key.service.arn
  recovery_window_in_days = 14

  tags = { Service = "checkout" }
}

resource "aws_secretsmanager_secret_rotation" "database" {
  secret_id           = aws_secretsmanager_secret.database.id
  rotation_lambda_arn = data.aws_lambda_function.rotation.arn

  rotation_rules {
    automatically_after_days = 30
  }
}

data "aws_iam_policy_document" "tasks_trust" {
  statement {
    effect  = "Allow"
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["ecs-tasks.amazonaws.com"]
    }

    condition {
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = [data.aws_caller_identity.current.account_id]
    }
  }
}

resource "aws_iam_role" "execution" {
  name               = "checkout-${var.environment}-execution"
  assume_role_policy = data.aws_iam_policy_document.tasks_trust.json

  tags = { Service = "checkout" }
}

resource "aws_iam_role_policy_attachment" "execution" {
  role       = aws_iam_role.execution.name
  policy_arn = "arn:aws:iam::aws:policy/service-role/AmazonECSTaskExecutionRolePolicy"
}

data "aws_iam_policy_document" "execution" {
  statement {
    sid       = "ReadDatabaseSecret"
    effect    = "Allow"
    actions   = ["secretsmanager:GetSecretValue"]
    resources = [aws_secretsmanager_secret.database.arn]
  }

  statement {
    sid       = "DecryptDatabaseSecret"
    effect    = "Allow"
    actions   = ["kms:Decrypt"]
    resources = [aws_kms_key.service.arn]
  }
}

resource "aws_iam_role_policy" "execution" {
  name   = "database-secret"
  role   = aws_iam_role.execution.id
  policy = data.aws_iam_policy_document.execution.json
}

resource "aws_iam_role" "task" {
  name               = "checkout-${var.environment}-task"
  assume_role_policy = data.aws_iam_policy_document.tasks_trust.json

  tags = { Service = "checkout" }
}
