variable "service" {
  description = "Name of the service."
  type        = string
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

variable "ssl_policy" {
  description = "Protocols and ciphers of the listener."
  type        = string
  default     = "ELBSecurityPolicy-TLS13-1-2-2021-06"
}

variable "private_subnet_ids" {
  description = "Subnets for the load balancer and the instances."
  type        = list(string)
}

variable "client_cidrs" {
  description = "Who may reach the load balancer."
  type        = list(string)
}

variable "image_id" {
  description = "Hardened image built by the platform team."
  type        = string
}

variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
}

variable "instance_type" {
  description = "Size of an instance."
  type        = string
}

variable "certificate_arn" {
  description = "Certificate of the load balancer."
  type        = string
}

variable "log_bucket" {
  description = "Bucket for load balancer access logs."
  type        = string
}

variable "instance_profile_arn" {
  description = "Profile that gives the instances their role."
  type        = string
}
