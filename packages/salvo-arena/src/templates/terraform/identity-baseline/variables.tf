variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "staff_mfa" {
  description = "Whether staff need a second factor."
  type        = string
  default     = "ON"
}
