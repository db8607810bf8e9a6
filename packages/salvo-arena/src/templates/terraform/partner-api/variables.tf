variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "tls_version" {
  description = "Oldest TLS version that partners may use."
  type        = string
  default     = "TLS_1_2"
}
