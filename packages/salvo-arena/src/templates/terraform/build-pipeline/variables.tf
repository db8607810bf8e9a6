variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "log_retention_days" {
  description = "Days that build logs are kept."
  type        = number
  default     = 365
}
