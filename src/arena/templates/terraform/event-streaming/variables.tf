variable "tags" {
  description = "Tags of all resources."
  type        = map(string)
}

variable "environment" {
  description = "Deployment stage."
  type        = string
  default     = "prod"
}

variable "vpc_id" {
  description = "Network of the brokers."
  type        = string
}

variable "vpc_cidr" {
  description = "Address range of the network."
  type        = string
  default     = "10.60.0.0/16"
}

variable "private_subnet_ids" {
  description = "Three subnets, one per availability zone."
  type        = list(string)
}

variable "client_security_group_id" {
  description = "Security group of producers and consumers."
  type        = string
}

variable "gateway_secret_id" {
  description = "Secret with the password of the plant gateways."
  type        = string
}

variable "landing_bucket_arn" {
  description = "Bucket that receives alerts."
  type        = string
}

variable "kafka_configuration_arn" {
  description = "Broker settings of the platform team."
  type        = string
}
