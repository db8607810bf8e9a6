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

variable "client_cidrs" {
  description = "Who may reach the load balancer."
  type        = list(string)
  default     = ["10.16.0.0/12"]
}
