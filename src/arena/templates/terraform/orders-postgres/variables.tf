variable "tags" {
  description = "Who owns and pays for the resources."
  type        = map(string)
}

variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "rotation_days" {
  description = "Days until credentials are replaced."
  type        = number
  default     = 30
}

variable "vpc_id" {
  description = "Network of the database."
  type        = string
}

variable "service_security_group_id" {
  description = "Security group of the orders service."
  type        = string
}

variable "instance_class" {
  description = "Size of the database."
  type        = string
}

variable "rotation_function_arn" {
  description = "Function that rotates database credentials."
  type        = string
}

variable "database_subnet_group" {
  description = "Subnet group of the database."
  type        = string
}
