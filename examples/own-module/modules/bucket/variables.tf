variable "name" {
  type = string
}

variable "versioned" {
  type    = bool
  default = true
}

variable "keep_days" {
  type    = number
  default = 400
}

variable "kms_key_arn" {
  type = string
}
