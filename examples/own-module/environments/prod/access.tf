data "aws_iam_policy_document" "assume" {
  statement {
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com"]
    }
  }
}

data "aws_iam_policy_document" "orders" {
  statement {
    sid       = "Table"
    actions   = ["dynamodb:GetItem", "dynamodb:PutItem"]
    resources = [aws_dynamodb_table.orders.arn]
  }

  statement {
    sid       = "Events"
    actions   = ["sns:Publish"]
    resources = [aws_sns_topic.orders.arn]
  }
}

resource "aws_iam_role" "api" {
  name               = "orders-api-${var.environment}"
  assume_role_policy = data.aws_iam_policy_document.assume.json
}

resource "aws_iam_role_policy" "api" {
  name   = "orders"
  role   = aws_iam_role.api.id
  policy = data.aws_iam_policy_document.orders.json
}

resource "aws_lambda_function" "api" {
  function_name                  = "orders-api"
  role                           = aws_iam_role.api.arn
  handler                        = "index.handler"
  runtime                        = "nodejs20.x"
  filename                       = "api.zip"
  kms_key_arn                    = aws_kms_key.data.arn
  reserved_concurrent_executions = 50

  environment {
    variables = {
      TABLE = aws_dynamodb_table.orders.name
    }
  }

  tracing_config {
    mode = "Active"
  }

  vpc_config {
    subnet_ids         = module.vpc.private_subnets
    security_group_ids = [aws_security_group.api.id]
  }
}

resource "aws_lambda_permission" "api" {
  statement_id   = "gateway"
  action         = "lambda:InvokeFunction"
  function_name  = aws_lambda_function.api.function_name
  principal      = "apigateway.amazonaws.com"
  source_account = data.aws_caller_identity.current.account_id
  source_arn     = "${aws_apigatewayv2_api.orders.execution_arn}/*/*"
}

resource "aws_apigatewayv2_api" "orders" {
  name          = "orders"
  protocol_type = "HTTP"
}

resource "aws_apigatewayv2_stage" "live" {
  api_id      = aws_apigatewayv2_api.orders.id
  name        = "live"
  auto_deploy = true

  access_log_settings {
    destination_arn = aws_cloudwatch_log_group.api.arn
    format          = "$context.requestId"
  }
}

resource "aws_apigatewayv2_route" "orders" {
  api_id             = aws_apigatewayv2_api.orders.id
  route_key          = "POST /orders"
  authorization_type = "AWS_IAM"
}
