variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "vpc_id" {
  description = "Network of the databases."
  type        = string
}

variable "vpc_cidr" {
  description = "Address range of the network."
  type        = string
  default     = "10.30.0.0/16"
}

variable "service_security_group_id" {
  description = "Security group of the case service."
  type        = string
}

variable "tags" {
  description = "Tags on everything."
  type        = map(string)
}

variable "documents_subnet_group" {
  description = "Subnet group of the document database."
  type        = string
}

variable "graph_subnet_group" {
  description = "Subnet group of the graph database."
  type        = string
}

variable "graph_parameter_group" {
  description = "Parameter group of the graph database, with its audit log on."
  type        = string
}
