variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "ssl_policy" {
  description = "Protocols and ciphers of the listener."
  type        = string
  default     = "ELBSecurityPolicy-TLS13-1-2-2021-06"
}
