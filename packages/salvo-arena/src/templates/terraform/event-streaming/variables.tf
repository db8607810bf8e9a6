# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "vpc_cidr" {
  description = "Address range of the network."
  type        = string
  default     = "10.60.0.0/16"
}
