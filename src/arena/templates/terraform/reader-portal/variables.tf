variable "tags" {
  description = "Who owns and pays for the resources."
  type        = map(string)
}

variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "domain_name" {
  description = "Public name of the portal."
  type        = string
}

variable "editions_bucket_domain" {
  description = "Bucket with the editions."
  type        = string
}

variable "cache_policy_id" {
  description = "Cache policy for editions."
  type        = string
}

variable "key_group_id" {
  description = "Keys that sign links to editions."
  type        = string
}

variable "log_bucket" {
  description = "Bucket for access logs."
  type        = string
}

variable "certificate_arn" {
  description = "Certificate of the portal."
  type        = string
}

variable "firewall_log_group_arn" {
  description = "Log group of the firewall."
  type        = string
}

variable "regional_web_acl_arn" {
  description = "Web ACL for the API: the portal's own is for the distribution only."
  type        = string
}

variable "log_retention_days" {
  description = "Days that access logs are kept."
  type        = number
  default     = 365
}

variable "request_validator_id" {
  description = "Validator for requests."
  type        = string
}

variable "deployment_id" {
  description = "Deployment of the API."
  type        = string
}

variable "client_certificate_id" {
  description = "Certificate that the stage shows to the backend."
  type        = string
}

variable "origin_access_control_id" {
  description = "How the distribution signs requests to the bucket."
  type        = string
}
