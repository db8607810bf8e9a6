variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "log_retention_days" {
  description = "How many days logs are kept."
  type        = number
  default     = 365
}

variable "vpc_id" {
  description = "Network of the services."
  type        = string
}

variable "service_security_group_id" {
  description = "Security group of the services."
  type        = string
}

variable "delivery_role_arn" {
  description = "Role of the delivery stream."
  type        = string
}

variable "archive_bucket_arn" {
  description = "Bucket that keeps all events."
  type        = string
}

variable "tags" {
  description = "Tags on everything."
  type        = map(string)
}

variable "private_subnet_ids" {
  description = "Private subnets, one per zone."
  type        = list(string)
}

variable "search_admin_role_arn" {
  description = "Role that administers search."
  type        = string
}

variable "results_bucket" {
  description = "Bucket for query results."
  type        = string
}

variable "notebook_role_arn" {
  description = "Role of the notebooks."
  type        = string
}

variable "warehouse_subnet_group" {
  description = "Subnet group of the warehouse."
  type        = string
}
