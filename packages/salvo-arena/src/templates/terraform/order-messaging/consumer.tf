# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
resource "aws_security_group" "consumer" {
  name        = "orders-${var.environment}-consumer"
  description = "Fulfilment function, outbound only"
  vpc_id      = data.aws_vpc.main.id

  egress {
    description = "HTTPS to the interface endpoints"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = [data.aws_vpc.main.cidr_block]
  }

  tags = { Service = "orders" }
}

resource "aws_lambda_function" "fulfilment" {
  function_name                  = "orders-${var.environment}-fulfilment"
  role                           = aws_iam_role.fulfilment.arn
  runtime                        = "nodejs22.x"
  handler                        = "index.handler"
  s3_bucket                      = "northwind-releases"
  s3_key                         = "fulfilment/3.8.1.zip"
  timeout                        = 30
  memory_size                    = 256
  reserved_concurrent_executions = 20
  kms_key_arn                    = aws_kms_key.messages.arn
  code_signing_config_arn        = data.terraform_remote_state.releases.outputs.code_signing_config_arn

  environment {
    variables = {
      WAREHOUSE_SECRET_ID = "warehouse/credentials"
    }
  }

  vpc_config {
    subnet_ids         = data.aws_subnets.private.ids
    security_group_ids = [aws_security_group.consumer.id]
  }

  dead_letter_config {
    target_arn = aws_sqs_queue.fulfilment_dead.arn
  }

  tracing_config {
    mode = "Active"
  }

  tags = { Service = "orders" }
}

resource "aws_cloudwatch_log_group" "fulfilment" {
  name              = "/aws/lambda/${aws_lambda_function.fulfilment.function_name}"
  retention_in_days = var.log_retention_days
  kms_key_id        = aws_kms_key.messages.arn

  tags = { Service = "orders" }
}

resource "aws_iam_role" "fulfilment" {
  name = "orders-${var.environment}-fulfilment"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "lambda.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })

  tags = { Service = "orders" }
}

resource "aws_iam_role_policy" "fulfilment" {
  name = "queue"
  role = aws_iam_role.fulfilment.id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Sid      = "ReadOrders"
        Effect   = "Allow"
        Action   = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"]
        Resource = aws_sqs_queue.fulfilment.arn
      },
      {
        Sid      = "GiveUp"
        Effect   = "Allow"
        Action   = "sqs:SendMessage"
        Resource = aws_sqs_queue.fulfilment_dead.arn
      },
      {
        Sid      = "UseKey"
        Effect   = "Allow"
        Action   = ["kms:Decrypt", "kms:GenerateDataKey"]
        Resource = aws_kms_key.messages.arn
      },
    ]
  })
}

resource "aws_iam_role_policy_attachment" "fulfilment_network" {
  role       = aws_iam_role.fulfilment.name
  policy_arn = "arn:aws:iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole"
}
