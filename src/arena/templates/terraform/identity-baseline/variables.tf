variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "repository" {
  description = "Repository that deploys, as owner/name."
  type        = string
  default     = "northwind/platform"
}

variable "auditor_account_id" {
  description = "Account of the external auditor."
  type        = string
  default     = "210987654321"
}

variable "auditor_external_id" {
  description = "External id agreed with the auditor."
  type        = string
  sensitive   = true
}

variable "portal_callback_url" {
  description = "Where staff return to after signing in."
  type        = string
  default     = "https://portal.northwind.example/callback"
}
