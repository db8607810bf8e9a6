variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "log_retention_days" {
  description = "Days that logs of the cache are kept."
  type        = number
  default     = 365
}

variable "product" {
  description = "Product that the sessions belong to."
  type        = string
}

variable "vpc_id" {
  description = "Network of the caches."
  type        = string
}

variable "application_security_group_id" {
  description = "Security group of the application."
  type        = string
}

variable "cache_token_secret_id" {
  description = "Secret that holds the cache's token."
  type        = string
}

variable "tags" {
  description = "Tags on everything."
  type        = map(string)
}

variable "dax_subnet_group" {
  description = "Subnet group of the DAX nodes."
  type        = string
}

variable "cache_subnet_group" {
  description = "Subnet group of the cache nodes."
  type        = string
}
