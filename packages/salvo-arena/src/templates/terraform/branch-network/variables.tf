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
