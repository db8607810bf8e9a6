output "vpc_id" {
  description = "The network."
  value       = aws_vpc.main.id
}

output "private_subnet_ids" {
  description = "Subnets for workloads."
  value       = [for subnet in aws_subnet.private : subnet.id]
}
