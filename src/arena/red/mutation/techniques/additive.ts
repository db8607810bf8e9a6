/**
 * Resource types of which one thing may have several, so that the widest one decides what is allowed. For other types,
 * a second resource would be a conflict.
 */
export const ADDITIVE: ReadonlySet<string> = new Set([
  'aws_vpc_security_group_ingress_rule',
  'aws_vpc_security_group_egress_rule',
  'aws_security_group_rule',
  'aws_iam_role_policy',
  'aws_iam_user_policy',
  'aws_iam_group_policy',
  'aws_iam_policy',
  'aws_lambda_permission',
  'AWS::EC2::SecurityGroupIngress',
  'AWS::EC2::SecurityGroupEgress',
  'AWS::IAM::Policy',
  'AWS::IAM::RolePolicy',
  'AWS::IAM::ManagedPolicy',
  'AWS::Lambda::Permission',
]);

/** Nested blocks and list entries of which there may be several. */
export const ADDITIVE_PARTS: ReadonlySet<string> = new Set([
  'statement',
  'ingress',
  'egress',
  'Statement',
  'SecurityGroupIngress',
  'SecurityGroupEgress',
]);
