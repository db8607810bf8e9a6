variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "team" {
  description = "Team that owns the file systems."
  type        = string
}

variable "vpc_id" {
  description = "Network the file systems live in."
  type        = string
}

variable "subnet_ids" {
  description = "Private subnets, one per availability zone."
  type        = list(string)
}

variable "application_cidrs" {
  description = "Address ranges of the hosts that mount the file systems."
  type        = list(string)
}

variable "client_role_arn" {
  description = "Role of the hosts that mount the file systems."
  type        = string
}

variable "tags" {
  description = "Tags on everything."
  type        = map(string)
}
