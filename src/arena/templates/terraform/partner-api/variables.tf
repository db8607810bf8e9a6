variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "domain_name" {
  description = "Public name of the API."
  type        = string
}

variable "certificate_arn" {
  description = "Certificate for the public name."
  type        = string
}

variable "tls_version" {
  description = "Oldest TLS version that partners may use."
  type        = string
  default     = "TLS_1_2"
}

variable "request_validator_id" {
  description = "Validator for requests."
  type        = string
}

variable "deployment_id" {
  description = "Deployment of the API."
  type        = string
}

variable "rates_table" {
  description = "Table with the current rates."
  type        = string
}

variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
}

variable "artifact_bucket" {
  description = "Bucket of released packages."
  type        = string
}

variable "artifact_key" {
  description = "Package to deploy."
  type        = string
}

variable "code_signing_config_arn" {
  description = "Code signing configuration of the release pipeline."
  type        = string
}

variable "private_subnet_ids" {
  description = "Subnets of the function."
  type        = list(string)
}

variable "function_security_group_id" {
  description = "Security group of the function."
  type        = string
}

variable "dead_letter_queue_arn" {
  description = "Queue for calls that failed."
  type        = string
}

variable "client_certificate_id" {
  description = "Certificate that the stage shows to the backend."
  type        = string
}

variable "partner_ip_set_arn" {
  description = "Addresses of the partners."
  type        = string
}
