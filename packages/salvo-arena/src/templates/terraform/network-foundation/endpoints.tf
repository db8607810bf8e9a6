resource "aws_security_group" "endpoints" {
  name        = "${var.environment}-core-endpoints"
  description = "HTTPS to the interface endpoints"
  vpc_id      = aws_vpc.main.id

  ingress {
    description = "HTTPS from inside the network"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = [var.cidr]
  }

  ingress {
    description = "Mail submission from inside the network"
    from_port   = 587
    to_port     = 587
    protocol    = "tcp"
    cidr_blocks = [var.cidr]
  }

  tags = { Network = "core" }
}
