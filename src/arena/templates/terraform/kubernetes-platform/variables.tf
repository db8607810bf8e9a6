variable "log_retention_days" {
  description = "Days that logs of the control plane are kept."
  type        = number
  default     = 365
}

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
  description = "Network of the cluster."
  type        = string
}

variable "private_subnet_ids" {
  description = "Subnets of the control plane and the nodes."
  type        = list(string)
}

variable "deployment_cidrs" {
  description = "Address ranges the deployment runners use."
  type        = list(string)
}

variable "invoice_queue_arn" {
  description = "Queue the billing service writes to."
  type        = string
}

variable "oidc_provider_arn" {
  description = "Identity provider of the cluster."
  type        = string
}
