# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
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
