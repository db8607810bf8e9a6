variable "tags" {
  description = "Who owns and pays for the resources."
  type        = map(string)
}

variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "vpc_id" {
  description = "Network of the warehouse."
  type        = string
}

variable "private_subnet_ids" {
  description = "Three subnets, one per availability zone."
  type        = list(string)
}

variable "analyst_cidrs" {
  description = "Where analysts connect from."
  type        = list(string)
}

variable "log_bucket" {
  description = "Bucket for warehouse logs."
  type        = string
}

variable "log_retention_days" {
  description = "Days that search logs are kept."
  type        = number
  default     = 365
}

variable "search_admin_role_arn" {
  description = "Role that administers the search domain."
  type        = string
}

variable "search_client_role_arn" {
  description = "Role of the analytics service."
  type        = string
}

variable "source_certificate_arn" {
  description = "Certificate authority of the old database."
  type        = string
}

variable "source_secret_arn" {
  description = "Secret with the credentials of the old database."
  type        = string
}

variable "migration_role_arn" {
  description = "Role that reads the credentials."
  type        = string
}

variable "warehouse_subnet_group" {
  description = "Subnet group of the warehouse."
  type        = string
}

variable "replication_subnet_group" {
  description = "Subnet group of the replication instance."
  type        = string
}
