variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "vpc_id" {
  description = "Network of the databases."
  type        = string
}

variable "service_security_group_id" {
  description = "Security group of the treasury service."
  type        = string
}

variable "monitoring_role_arn" {
  description = "Role for enhanced monitoring."
  type        = string
}

variable "trail_bucket" {
  description = "Bucket of the trail."
  type        = string
}

variable "log_retention_days" {
  description = "How many days logs are kept."
  type        = number
  default     = 731
}

variable "trail_role_arn" {
  description = "Role that writes the trail to CloudWatch."
  type        = string
}

variable "config_role_arn" {
  description = "Role of the configuration recorder."
  type        = string
}

variable "tags" {
  description = "Tags on everything."
  type        = map(string)
}

variable "treasury_role_arn" {
  description = "Role of the treasury service."
  type        = string
}

variable "directory_role_arn" {
  description = "Role people come from."
  type        = string
}

variable "directory_external_id" {
  description = "External id agreed with the directory."
  type        = string
}

variable "database_subnet_group" {
  description = "Subnet group of the database."
  type        = string
}
