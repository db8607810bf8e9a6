variable "project" {
  description = "Short name that prefixes every resource."
  type        = string
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

variable "reader_role_arn" {
  description = "Role of the records team."
  type        = string
}
