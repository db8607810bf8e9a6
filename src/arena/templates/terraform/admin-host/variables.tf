variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
}

variable "log_retention_days" {
  description = "Days that session logs are kept."
  type        = number
  default     = 365
}

variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "vpc_id" {
  description = "Network to run in."
  type        = string
}

variable "vpc_cidr" {
  description = "Address range of the network."
  type        = string
}

variable "private_subnet_id" {
  description = "Subnet of the host."
  type        = string
}

variable "image_id" {
  description = "Hardened image built by the platform team."
  type        = string
}

variable "session_bucket" {
  description = "Bucket for session transcripts."
  type        = string
}

variable "database_url" {
  description = "Connection string of the reporting replica."
  type        = string
  sensitive   = true
}

variable "copy_region" {
  description = "Region that gets a copy of every snapshot."
  type        = string
}

variable "copy_key_arn" {
  description = "Key in the other region."
  type        = string
}

variable "instance_profile" {
  description = "Profile that gives the host its role."
  type        = string
}
