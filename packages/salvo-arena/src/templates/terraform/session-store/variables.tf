variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "log_retention_days" {
  description = "Days that logs of the cache are kept."
  type        = number
  default     = 365
}
