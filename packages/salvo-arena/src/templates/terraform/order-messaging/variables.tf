variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "log_retention_days" {
  description = "How many days logs are kept."
  type        = number
  default     = 365
}
