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
