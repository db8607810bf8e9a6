variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "hsts_max_age" {
  description = "Seconds that browsers insist on HTTPS."
  type        = number
  default     = 63072000
}
