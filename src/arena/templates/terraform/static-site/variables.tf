variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "domain_name" {
  description = "Public name of the site."
  type        = string
}

variable "forms_domain_name" {
  description = "Origin that handles forms."
  type        = string
}

variable "web_acl_arn" {
  description = "Global web ACL."
  type        = string
}

variable "hsts_max_age" {
  description = "Seconds that browsers insist on HTTPS."
  type        = number
  default     = 63072000
}

variable "log_bucket" {
  description = "Bucket for access logs."
  type        = string
}

variable "cache_policy_id" {
  description = "Cache policy for content."
  type        = string
}

variable "forms_cache_policy_id" {
  description = "Cache policy for forms: no caching."
  type        = string
}

variable "countries" {
  description = "Countries that are served."
  type        = list(string)
}

variable "signing_key_arn" {
  description = "Asymmetric key for DNSSEC, in us-east-1."
  type        = string
}

variable "query_log_group_arn" {
  description = "Log group for DNS queries, in us-east-1."
  type        = string
}

variable "origin_access_control_id" {
  description = "How the distribution signs requests to the bucket."
  type        = string
}
