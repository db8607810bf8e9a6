variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "rotation_days" {
  description = "Days until credentials are replaced."
  type        = number
  default     = 30
}
