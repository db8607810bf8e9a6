output "endpoint" {
  description = "Where the service connects."
  value       = aws_db_instance.orders.endpoint
}

output "master_secret_arn" {
  description = "Secret that holds the owner's password."
  value       = aws_db_instance.orders.master_user_secret[0].secret_arn
}
