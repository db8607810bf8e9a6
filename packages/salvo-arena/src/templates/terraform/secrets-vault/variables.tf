variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "rotation_days" {
  description = "Days until the secret is replaced."
  type        = number
  default     = 30
}
