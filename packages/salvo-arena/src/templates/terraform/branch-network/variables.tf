# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "cidr" {
  description = "Address range of the branch."
  type        = string
  default     = "10.88.0.0/21"
}

variable "zones" {
  description = "Zones of the branch."
  type        = list(string)
  default     = ["eu-west-1a", "eu-west-1b"]
}
