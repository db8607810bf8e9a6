variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "repository" {
  description = "Repository that deploys, as owner/name."
  type        = string
}

variable "staff_mfa" {
  description = "Whether staff need a second factor."
  type        = string
  default     = "ON"
}

variable "auditor_external_id" {
  description = "External id agreed with the auditor."
  type        = string
  sensitive   = true
}

variable "support_group" {
  description = "Group of the support staff."
  type        = string
}

variable "portal_client_id" {
  description = "Client of the portal in the user pool."
  type        = string
}
