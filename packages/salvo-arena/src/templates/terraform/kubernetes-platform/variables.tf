variable "log_retention_days" {
  description = "Days that logs of the control plane are kept."
  type        = number
  default     = 365
}

variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}
