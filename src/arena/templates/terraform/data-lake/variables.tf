variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
}

variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "log_bucket" {
  description = "Bucket for access logs."
  type        = string
}

variable "analyst_role_arn" {
  description = "Role of the analysts."
  type        = string
}

variable "catalogue_database" {
  description = "Database with the tables that analysts query."
  type        = string
}
