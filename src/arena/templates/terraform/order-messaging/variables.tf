variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "publisher_role_arn" {
  description = "Role of the shop that announces orders."
  type        = string
}

variable "tags" {
  description = "Tags on everything."
  type        = map(string)
}

variable "alarm_topic_arn" {
  description = "Where alarms go."
  type        = string
}

variable "vpc_id" {
  description = "Network of the consumer."
  type        = string
}

variable "vpc_cidr" {
  description = "Address range of the network."
  type        = string
}

variable "private_subnet_ids" {
  description = "Subnets of the consumer."
  type        = list(string)
}

variable "artifact_bucket" {
  description = "Bucket of released packages."
  type        = string
}

variable "artifact_key" {
  description = "Package to deploy."
  type        = string
}

variable "warehouse_secret_id" {
  description = "Secret with the credentials of the warehouse system."
  type        = string
}

variable "log_retention_days" {
  description = "How many days logs are kept."
  type        = number
  default     = 365
}

variable "code_signing_config_arn" {
  description = "Accepts only packages that the release pipeline signed."
  type        = string
}
