# Data of a benchmark, not for training. canary 6f1d2c0e-7b1a-4a54-9a3e-5d0a8c1f9b27
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

data "aws_vpc" "main" {
  tags = { Name = "plants" }
}

data "aws_subnets" "private" {
  filter {
    name   = "vpc-id"
    values = [data.aws_vpc.main.id]
  }

  tags = { Tier = "private" }
}

data "aws_security_group" "clients" {
  name = "stream-clients"
}

data "aws_msk_configuration" "platform" {
  name = "platform-brokers"
}

resource "aws_kms_key" "stream" {
  description             = "Telemetry streams, brokers and delivery"
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

  tags = { Team = "streaming" }
}

resource "aws_cloudwatch_log_group" "brokers" {
  name              = "/msk/telemetry-${var.environment}"
  retention_in_days = 365
  kms_key_id        = aws_kms_key.stream.arn

  tags = { Team = "streaming" }
}

resource "aws_security_group" "brokers" {
  name        = "telemetry-${var.environment}-brokers"
  description = "Kafka and message brokers"
  vpc_id      = data.aws_vpc.main.id

  tags = { Team = "streaming" }
}

resource "aws_vpc_security_group_ingress_rule" "kafka" {
  security_group_id            = aws_security_group.brokers.id
  description                  = "Kafka with IAM authentication"
  ip_protocol                  = "tcp"
  from_port                    = 9098
  to_port                      = 9098
  referenced_security_group_id = data.aws_security_group.clients.id
}

resource "aws_vpc_security_group_ingress_rule" "console" {
  security_group_id = aws_security_group.brokers.id
  description       = "Console of the brokers from inside the network"
  ip_protocol       = "tcp"
  from_port         = 8162
  to_port           = 8162
  cidr_ipv4         = var.vpc_cidr
}

resource "aws_msk_cluster" "telemetry" {
  cluster_name           = "telemetry-${var.environment}"
  kafka_version          = "3.6.0"
  number_of_broker_nodes = 3
  enhanced_monitoring    = "PER_TOPIC_PER_BROKER"

  broker_node_group_info {
    instance_type   = "kafka.m7g.large"
    client_subnets  = data.aws_subnets.private.ids
    security_groups = [aws_security_group.brokers.id]

    connectivity_info {
      public_access {
        type = "DISABLED"
      }
    }

    storage_info {
      ebs_storage_info {
        volume_size = 500
      }
    }
  }

  configuration_info {
    arn      = data.aws_msk_configuration.platform.arn
    revision = 1
  }

  encryption_info {
    encryption_at_rest_kms_key_arn = aws_kms_key.stream.arn

    encryption_in_transit {
      client_broker = "TLS"
      in_cluster    = true
    }
  }

  client_authentication {
    unauthenticated = false

    sasl {
      iam = true
    }
  }

  logging_info {
    broker_logs {
      cloudwatch_logs {
        enabled   = true
        log_group = aws_cloudwatch_log_group.brokers.name
      }
    }
  }

  tags = { Team = "streaming" }
}

data "aws_secretsmanager_secret_version" "gateway" {
  secret_id = "plants/gateway-password"
}

resource "aws_mq_broker" "plants" {
  broker_name                = "telemetry-${var.environment}-plants"
  engine_type                = "ActiveMQ"
  engine_version             = "5.18"
  host_instance_type         = "mq.m5.large"
  deployment_mode            = "ACTIVE_STANDBY_MULTI_AZ"
  publicly_accessible        = false
  auto_minor_version_upgrade = true
  subnet_ids                 = slice(data.aws_subnets.private.ids, 0, 2)
  security_groups            = [aws_security_group.brokers.id]

  encryption_options {
    use_aws_owned_key = false
    kms_key_id        = aws_kms_key.stream.arn
  }

  logs {
    general = true
    audit   = true
  }

  user {
    username = "gateway"
    password = data.aws_secretsmanager_secret_version.gateway.secret_string
  }

  tags = { Team = "streaming" }
}
