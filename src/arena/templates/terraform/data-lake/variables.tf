variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "organisation" {
  description = "Short name of the organisation."
  type        = string
  default     = "northwind"
}

variable "log_bucket" {
  description = "Bucket for access logs."
  type        = string
}

variable "analyst_role_arn" {
  description = "Role of the analysts."
  type        = string
}

variable "query_limit_bytes" {
  description = "Most a single query may scan."
  type        = number
  default     = 1099511627776
}

variable "catalogue_database" {
  description = "Database with the tables that analysts query."
  type        = string
}
