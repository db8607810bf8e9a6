variable "log_retention_days" {
  description = "Days that session logs are kept."
  type        = number
  default     = 365
}

variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}
