variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "application" {
  description = "What is built."
  type        = string
}

variable "repository" {
  description = "Repository, as owner/name."
  type        = string
}

variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
}

variable "connection_arn" {
  description = "Connection to the source host."
  type        = string
}

variable "pipeline_role_arn" {
  description = "Role of the pipeline."
  type        = string
}

variable "vpc_id" {
  description = "Network of the builds."
  type        = string
}

variable "log_retention_days" {
  description = "Days that build logs are kept."
  type        = number
  default     = 365
}

variable "vpc_cidr" {
  description = "Address range of the network."
  type        = string
}

variable "private_subnet_ids" {
  description = "Subnets of the builds."
  type        = list(string)
}
