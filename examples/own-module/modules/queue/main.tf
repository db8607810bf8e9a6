# One queue per event, each with its own queue for what cannot be handled.
resource "aws_sqs_queue" "events" {
  for_each = var.events

  name                              = "${var.prefix}-${each.key}"
  visibility_timeout_seconds        = each.value
  kms_master_key_id                 = var.kms_key_id
  kms_data_key_reuse_period_seconds = 300

  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.failed[each.key].arn
    maxReceiveCount     = 5
  })
}

resource "aws_sqs_queue" "failed" {
  for_each = var.events

  name                      = "${var.prefix}-${each.key}-failed"
  message_retention_seconds = 1209600
  kms_master_key_id         = var.kms_key_id
}

resource "aws_sqs_queue_policy" "events" {
  for_each = var.events

  queue_url = aws_sqs_queue.events[each.key].id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "sns.amazonaws.com" }
      Action    = "sqs:SendMessage"
      Resource  = aws_sqs_queue.events[each.key].arn
      Condition = { ArnEquals = { "aws:SourceArn" = var.topic_arn } }
    }]
  })
}

variable "prefix" {
  type = string
}

variable "events" {
  type = map(number)
}

variable "kms_key_id" {
  type = string
}

variable "topic_arn" {
  type = string
}

output "arns" {
  value = { for name, queue in aws_sqs_queue.events : name => queue.arn }
}
