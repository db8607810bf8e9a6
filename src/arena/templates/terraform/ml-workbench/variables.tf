variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "team" {
  description = "Team that owns the workbench."
  type        = string
}

variable "tags" {
  description = "Who owns and pays for the resources."
  type        = map(string)
}

variable "vpc_id" {
  description = "Network of the workbench."
  type        = string
}

variable "vpc_cidr" {
  description = "Address range of the network."
  type        = string
}

variable "private_subnet_ids" {
  description = "Subnets of the workbench."
  type        = list(string)
}

variable "model_image" {
  description = "Image that serves the model."
  type        = string
}

variable "labelling_role_arn" {
  description = "Role that delivers labelled data."
  type        = string
}
