# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
variable "environment" {
  description = "Deployment stage, used as a name prefix."
  type        = string
  default     = "prod"
}

variable "flow_log_traffic" {
  description = "Which traffic flow logs record."
  type        = string
  default     = "ALL"
}

variable "cidr" {
  description = "Address range of the network."
  type        = string
  default     = "10.40.0.0/16"
}

variable "zones" {
  description = "Availability zones to spread over."
  type        = list(string)
  default     = ["eu-west-1a", "eu-west-1b", "eu-west-1c"]
}
