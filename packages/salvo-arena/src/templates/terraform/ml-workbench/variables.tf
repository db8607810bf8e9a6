variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}
