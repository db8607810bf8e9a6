# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

data "aws_vpc" "main" {
  tags = { Name = "containers" }
}

data "aws_subnets" "private" {
  filter {
    name   = "vpc-id"
    values = [data.aws_vpc.main.id]
  }

  tags = { Tier = "private" }
}

data "aws_sqs_queue" "invoices" {
  name = "invoices"
}

data "aws_iam_openid_connect_provider" "cluster" {
  url = aws_eks_cluster.main.identity[0].oidc[0].issuer
}

resource "aws_kms_key" "cluster" {
  description             = "Kubernetes secrets, control plane logs and node volumes"
  deletion_window_in_days = 30
  enable_key_rotation     = true

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Sid       = "AccountAdministration"
        Effect    = "Allow"
        Principal = { AWS = "arn:aws:iam::${data.aws_caller_identity.current.account_id}:root" }
        Action    = "kms:*"
        Resource  = "*"
      },
      {
        Sid       = "CloudWatchLogs"
        Effect    = "Allow"
        Principal = { Service = "logs.${data.aws_region.current.name}.amazonaws.com" }
        Action    = ["kms:Encrypt", "kms:Decrypt", "kms:GenerateDataKey*", "kms:DescribeKey"]
        Resource  = "*"
      },
    ]
  })

  tags = { Platform = "containers" }
}

# EKS writes to this name; creating it first is what gives it a key and a retention.
resource "aws_cloudwatch_log_group" "control_plane" {
  name              = "/aws/eks/${var.environment}-platform/cluster"
  retention_in_days = var.log_retention_days
  kms_key_id        = aws_kms_key.cluster.arn

  tags = { Platform = "containers" }
}

resource "aws_security_group" "control_plane" {
  name        = "${var.environment}-platform-control-plane"
  description = "Access to the Kubernetes API"
  vpc_id      = data.aws_vpc.main.id

  ingress {
    description = "Kubernetes API from inside the network"
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = ["10.12.0.0/24"]
  }

  tags = { Platform = "containers" }
}

resource "aws_eks_cluster" "main" {
  name     = "${var.environment}-platform"
  version  = "1.32"
  role_arn = aws_iam_role.cluster.arn

  enabled_cluster_log_types = ["api", "audit", "authenticator", "controllerManager", "scheduler"]

  vpc_config {
    subnet_ids              = data.aws_subnets.private.ids
    security_group_ids      = [aws_security_group.control_plane.id]
    endpoint_private_access = true
    endpoint_public_access  = false
  }

  encryption_config {
    resources = ["secrets"]

    provider {
      key_arn = aws_kms_key.cluster.arn
    }
  }

  access_config {
    authentication_mode                         = "API"
    bootstrap_cluster_creator_admin_permissions = false
  }

  tags = { Platform = "containers" }

  depends_on = [aws_cloudwatch_log_group.control_plane]
}

resource "aws_launch_template" "nodes" {
  name_prefix = "${var.environment}-platform-nodes-"

  metadata_options {
    http_endpoint               = "enabled"
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }

  block_device_mappings {
    device_name = "/dev/xvda"

    ebs {
      volume_size = 80
      volume_type = "gp3"
      encrypted   = true
      kms_key_id  = aws_kms_key.cluster.arn
    }
  }

  monitoring {
    enabled = true
  }

  tags = { Platform = "containers" }
}

resource "aws_eks_node_group" "general" {
  cluster_name    = aws_eks_cluster.main.name
  node_group_name = "general"
  node_role_arn   = aws_iam_role.nodes.arn
  subnet_ids      = data.aws_subnets.private.ids
  ami_type        = "BOTTLEROCKET_x86_64"
  instance_types  = ["m6i.xlarge"]

  launch_template {
    id      = aws_launch_template.nodes.id
    version = aws_launch_template.nodes.latest_version
  }

  scaling_config {
    min_size     = 3
    desired_size = 3
    max_size     = 12
  }

  update_config {
    max_unavailable = 1
  }

  tags = { Platform = "containers" }
}
