variable "service" {
  description = "Name of the service and of its image."
  type        = string
}

variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "image_tag" {
  description = "Image version to run."
  type        = string
}

variable "vpc_id" {
  description = "Network to run in."
  type        = string
}

variable "vpc_cidr" {
  description = "Address range of the network."
  type        = string
}

variable "private_subnet_ids" {
  description = "Subnets of the tasks."
  type        = list(string)
}

variable "tags" {
  description = "Who owns and pays for the resources."
  type        = map(string)
}

variable "load_balancer_security_group_id" {
  description = "Security group of the load balancer."
  type        = string
}

variable "target_group_arn" {
  description = "Target group of the service."
  type        = string
}

variable "build_role_arn" {
  description = "Role that pushes images."
  type        = string
}

variable "log_retention_days" {
  description = "Days that logs of the service are kept."
  type        = number
  default     = 365
}

variable "file_system_id" {
  description = "File system for uploads."
  type        = string
}

variable "access_point_id" {
  description = "Access point for uploads."
  type        = string
}

variable "rotation_function_arn" {
  description = "Function that changes the password of the database user."
  type        = string
}
