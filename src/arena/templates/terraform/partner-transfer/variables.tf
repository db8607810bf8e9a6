variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "tags" {
  description = "Tags on everything."
  type        = map(string)
}

variable "vpc_id" {
  description = "Network of the SFTP endpoint."
  type        = string
}

variable "private_subnet_ids" {
  description = "Subnets of the SFTP endpoint."
  type        = list(string)
}

variable "check_function_arn" {
  description = "Function that checks a file."
  type        = string
}

variable "book_function_arn" {
  description = "Function that books a file."
  type        = string
}

variable "booking_role_arn" {
  description = "Role that books the received files."
  type        = string
}

variable "scheduler_role_arn" {
  description = "Role of the nightly schedule."
  type        = string
}

variable "directory_id" {
  description = "Directory of the clerks."
  type        = string
}

variable "bundle_id" {
  description = "Desktop image."
  type        = string
}
