variable "tags" {
  description = "Tags on everything."
  type        = map(string)
}

variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "vpc_id" {
  description = "Network of the database."
  type        = string
}

variable "client_security_groups" {
  description = "Security groups that may connect, by service name."
  type        = map(string)
}

variable "monitoring_role_arn" {
  description = "Role for enhanced monitoring."
  type        = string
}

variable "database_subnet_group" {
  description = "Subnet group of the database."
  type        = string
}
