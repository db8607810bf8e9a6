variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "log_retention_days" {
  description = "Days that the log of the trail is kept."
  type        = number
  default     = 731
}
