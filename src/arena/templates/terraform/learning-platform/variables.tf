variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "vpc_id" {
  description = "Network of the database."
  type        = string
}

variable "log_retention_days" {
  description = "How many days logs are kept."
  type        = number
  default     = 365
}

variable "client_cidrs" {
  description = "Who may reach the load balancer."
  type        = list(string)
}

variable "private_subnet_ids" {
  description = "Subnets without a route from the internet."
  type        = list(string)
}

variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
}

variable "log_bucket" {
  description = "Bucket for load balancer access logs."
  type        = string
}

variable "certificate_arn" {
  description = "Certificate of the load balancer."
  type        = string
}

variable "execution_role_arn" {
  description = "Role that starts the tasks."
  type        = string
}

variable "task_role_arn" {
  description = "Role of the application."
  type        = string
}

variable "image" {
  description = "Image of the application, with its digest."
  type        = string
}

variable "database_secret_arn" {
  description = "Secret with the connection string."
  type        = string
}

variable "instance_class" {
  description = "Size of the database."
  type        = string
}

variable "monitoring_role_arn" {
  description = "Role for enhanced monitoring."
  type        = string
}

variable "cache_token_secret_id" {
  description = "Secret with the token of the session cache."
  type        = string
}

variable "database_subnet_group" {
  description = "Subnet group of the database."
  type        = string
}

variable "cache_subnet_group" {
  description = "Subnet group of the cache nodes."
  type        = string
}
