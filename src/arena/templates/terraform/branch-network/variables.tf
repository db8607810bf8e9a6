variable "tags" {
  description = "Who owns and pays for the resources."
  type        = map(string)
}

variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "cidr" {
  description = "Address range of the branch."
  type        = string
  default     = "10.88.0.0/21"
}

variable "zones" {
  description = "Zones of the branch."
  type        = list(string)
  default     = ["eu-west-1a", "eu-west-1b"]
}

variable "flow_log_role_arn" {
  description = "Role that writes flow logs."
  type        = string
}

variable "image_id" {
  description = "Hardened image."
  type        = string
}

variable "instance_profile" {
  description = "Profile of the servers."
  type        = string
}
