variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "team" {
  description = "Team that owns the secrets."
  type        = string
}

variable "consumer_role_arn" {
  description = "Role of the service that uses the secrets."
  type        = string
}

variable "vpc_endpoint_id" {
  description = "Endpoint the service reaches Secrets Manager through."
  type        = string
}

variable "replica_region" {
  description = "Region that holds a replica."
  type        = string
}

variable "rotation_days" {
  description = "Days until the secret is replaced."
  type        = number
  default     = 30
}

variable "replica_key_arn" {
  description = "Key in the replica's region."
  type        = string
}

variable "webhook_key" {
  description = "Signing key, from the deployment environment."
  type        = string
  sensitive   = true
}

variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
}

variable "merchant_id" {
  description = "Id at the payment gateway."
  type        = string
  sensitive   = true
}

variable "gateway_host" {
  description = "Host of the payment gateway."
  type        = string
}

variable "artifact_bucket" {
  description = "Bucket of released packages."
  type        = string
}

variable "code_signing_config_arn" {
  description = "Code signing configuration of the release pipeline."
  type        = string
}

variable "private_subnet_ids" {
  description = "Subnets of the rotation function."
  type        = list(string)
}

variable "function_security_group_id" {
  description = "Security group of the rotation function."
  type        = string
}
