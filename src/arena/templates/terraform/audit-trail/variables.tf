variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "trail_logs_role_arn" {
  description = "Role that writes the trail to CloudWatch."
  type        = string
}

variable "config_role_arn" {
  description = "Role of the configuration recorder."
  type        = string
}

variable "tags" {
  description = "Tags on everything."
  type        = map(string)
}

variable "log_retention_days" {
  description = "Days that the log of the trail is kept."
  type        = number
  default     = 731
}
