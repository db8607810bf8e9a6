variable "log_retention_days" {
  description = "Days that logs of the control plane are kept."
  type        = number
  default     = 365
}

variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "deployment_cidrs" {
  description = "Address ranges the deployment runners use."
  type        = list(string)
  default     = ["10.12.0.0/24"]
}
