variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "vpc_id" {
  description = "Network of the databases."
  type        = string
}

variable "data_subnet_ids" {
  description = "Isolated subnets for databases."
  type        = list(string)
}

variable "service_security_group_id" {
  description = "Security group of the case service."
  type        = string
}
