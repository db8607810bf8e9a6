variable "environment" {
  type    = string
  default = "prod"
}

variable "retention_days" {
  type    = number
  default = 365
}

variable "office_cidr" {
  type    = string
  default = "10.40.0.0/16"
}

variable "events" {
  type = map(number)

  default = {
    placed    = 60
    shipped   = 60
    cancelled = 120
  }
}
