import { expect, test } from 'vitest';
import { JudgeAgent } from './judge-agent.ts';

interface Game {
  name: string;
  red: Record<string, unknown>[];
  blue: Record<string, unknown>[];
  /** The right pairs: the index of the flaw and of the finding that reports it. */
  pairs: [number, number][];
}

const GAMES: Game[] = [
  {
    name: 'names of resources are loose',
    red: [
      { id: 'r1', type: 'network', resource: 'aws_security_group.web', description: 'SSH is open to 0.0.0.0/0.' },
      { id: 'r2', type: 'encryption', resource: 'aws_db_instance.orders', description: 'storage_encrypted is false.' },
    ],
    blue: [
      { title: 'Orders database keeps its data in plain text on disk', resource: 'orders database' },
      { title: 'Anyone on the internet can try to log in over SSH', resource: 'web_security_group' },
      { title: 'The database has no backups', resource: 'aws_db_instance.orders' },
    ],
    pairs: [
      [0, 1],
      [1, 0],
    ],
  },
  {
    name: 'one sentence reports two flaws of a bucket, and is a match for one of them',
    red: [
      {
        id: 'r1',
        type: 'encryption',
        resource: 'aws_s3_bucket.reports',
        description: 'Encryption at rest was removed.',
      },
      { id: 'r2', type: 'network', resource: 'aws_security_group.db', description: 'Port 5432 is open to the world.' },
    ],
    blue: [
      { title: 'The reports bucket is neither encrypted nor versioned', resource: 'aws_s3_bucket.reports' },
      { title: 'PostgreSQL port reachable from 0.0.0.0/0', resource: 'aws_security_group.db' },
    ],
    pairs: [
      [0, 0],
      [1, 1],
    ],
  },
  {
    name: 'findings have only a file and lines',
    red: [
      {
        id: 'r1',
        type: 'logging',
        description: 'The trail does not validate its log files.',
        file: 'audit.tf',
        line: 4,
        end_line: 12,
      },
      {
        id: 'r2',
        type: 'iam',
        description: 'The policy allows every action on every resource.',
        file: 'iam.tf',
        line: 20,
        end_line: 31,
      },
    ],
    blue: [
      { title: 'Policy grants * on *', file: 'iam.tf', line: 22 },
      { title: 'Tampering with the log files of CloudTrail would go unnoticed', file: 'audit.tf', line: 4 },
      { title: 'Policy grants * on *', file: 'other.tf', line: 22 },
    ],
    pairs: [
      [0, 1],
      [1, 0],
    ],
  },
  {
    name: 'different flaws of one resource are told apart',
    red: [
      { id: 'r1', type: 'availability', resource: 'aws_db_instance.main', description: 'Deletion protection is off.' },
      {
        id: 'r2',
        type: 'availability',
        resource: 'aws_db_instance.main',
        description: 'Runs in a single availability zone.',
      },
      {
        id: 'r3',
        type: 'logging',
        resource: 'aws_db_instance.main',
        description: 'No logs are exported to CloudWatch.',
      },
    ],
    blue: [
      {
        title: 'Database would not survive the loss of a zone, as multi_az is false',
        resource: 'aws_db_instance.main',
      },
      { title: 'The instance can be deleted by accident', resource: 'aws_db_instance.main' },
      { title: 'Minor versions are not upgraded automatically', resource: 'aws_db_instance.main' },
    ],
    pairs: [
      [0, 1],
      [1, 0],
    ],
  },
  {
    name: 'a flaw that nobody reports is not given to a finding about the same resource',
    red: [
      {
        id: 'r1',
        type: 'encryption',
        resource: 'aws_sqs_queue.jobs',
        description: 'The queue is not encrypted with a KMS key.',
      },
    ],
    blue: [
      { title: 'Queue has no dead-letter queue', resource: 'aws_sqs_queue.jobs' },
      { title: 'Everyone may send messages to the queue', resource: 'aws_sqs_queue.jobs' },
    ],
    pairs: [],
  },
  {
    name: 'the same flaw of two resources goes to the right ones',
    red: [
      { id: 'r1', type: 'rotation', resource: 'aws_kms_key.data', description: 'Rotation of the key is disabled.' },
      { id: 'r2', type: 'rotation', resource: 'aws_kms_key.logs', description: 'Rotation of the key is disabled.' },
    ],
    blue: [
      { title: 'KMS key is never rotated', resource: 'aws_kms_key.logs' },
      { title: 'KMS key is never rotated', resource: 'aws_kms_key.data' },
    ],
    pairs: [
      [0, 1],
      [1, 0],
    ],
  },
  {
    name: 'praise before the flaw does not confuse',
    red: [{ id: 'r1', type: 'logging', resource: 'aws_s3_bucket.media', description: 'Access logging was removed.' }],
    blue: [
      {
        title: 'Encryption is configured properly',
        description: 'The bucket is encrypted with a customer managed key.',
        resource: 'aws_s3_bucket.media',
      },
      {
        title: 'No access logs',
        description: 'Although the bucket is encrypted, nobody records who reads its objects.',
        resource: 'aws_s3_bucket.media',
      },
    ],
    pairs: [[0, 1]],
  },
  {
    name: 'consoles and users are described by what an attacker can do',
    red: [
      {
        id: 'r1',
        type: 'iam',
        resource: 'aws_iam_account_password_policy.main',
        description: 'Passwords may be reused.',
      },
      { id: 'r2', type: 'iam', resource: 'aws_iam_role.deploy', description: 'Any AWS account can assume the role.' },
    ],
    blue: [
      { title: 'Trust policy of the deploy role has Principal "*"', resource: 'deploy role' },
      { title: 'Old passwords can be used again, since reuse prevention is not set', resource: 'password policy' },
    ],
    pairs: [
      [0, 1],
      [1, 0],
    ],
  },
  {
    name: 'a long description mentions other flaws, and the title decides',
    red: [
      { id: 'r1', type: 'network', resource: 'aws_lb_listener.front', description: 'The listener accepts plain HTTP.' },
      { id: 'r2', type: 'logging', resource: 'aws_lb.front', description: 'The load balancer writes no access logs.' },
    ],
    blue: [
      {
        title: 'Load balancer does not write access logs',
        description:
          'Without logs it is impossible to see attacks. Note that HTTPS, WAF and deletion protection matter as well.',
        resource: 'aws_lb.front',
      },
      {
        title: 'Traffic is not encrypted',
        description:
          'The listener uses HTTP on port 80, so that passwords can be read on the way. Enable logs to notice it.',
        resource: 'aws_lb_listener.front',
      },
    ],
    pairs: [
      [0, 1],
      [1, 0],
    ],
  },
  {
    name: 'functions and their secrets',
    red: [
      {
        id: 'r1',
        type: 'secrets',
        resource: 'aws_lambda_function.mailer',
        description: 'An API key is hard-coded in the environment variables.',
      },
      { id: 'r2', type: 'monitoring', resource: 'aws_lambda_function.mailer', description: 'X-Ray tracing is off.' },
    ],
    blue: [
      { title: 'Secret in plain text in the environment of the mailer function', resource: 'lambda mailer' },
      { title: 'Function has no limit of concurrent executions', resource: 'aws_lambda_function.mailer' },
      {
        title: 'Requests through the function cannot be traced (tracing_config mode is PassThrough)',
        resource: 'mailer',
      },
    ],
    pairs: [
      [0, 0],
      [1, 2],
    ],
  },
  {
    name: 'a port is called by what listens there, and the rule of the manifest is for many ports',
    red: [
      {
        id: 'r1',
        type: 'network',
        title: 'Security group lets the whole internet in',
        resource: 'aws_security_group_rule.documents',
        rule_ids: ['AVD-AWS-0107'],
      },
      {
        id: 'r2',
        type: 'network',
        title: 'Network ACL lets the whole internet reach SSH (port 22)',
        resource: 'aws_network_acl_rule.private_postgres',
      },
    ],
    blue: [
      {
        title: 'MongoDB port of the databases open to the world',
        description: '"Internal callers only" says the description, but the source is 0.0.0.0/0 on 27117.',
        resource: 'aws_security_group_rule.documents',
      },
      {
        title: 'Subnet firewall lets anyone reach port 22',
        description: 'Rule 120 of the private network ACL is named for Postgres but admits SSH from everywhere.',
        resource: 'private_postgres',
      },
      { title: 'Graph instances might get a public address', resource: 'aws_neptune_cluster_instance.graph' },
    ],
    pairs: [
      [0, 0],
      [1, 1],
    ],
  },
  {
    name: 'identities in plain words',
    red: [
      {
        id: 'r1',
        type: 'iam',
        title: 'IAM passwords need no capital letter',
        resource: 'aws_iam_account_password_policy.strict',
      },
      {
        id: 'r2',
        type: 'iam',
        title: 'Role of another account can be assumed without an external id',
        resource: 'aws_iam_role.auditor',
      },
      {
        id: 'r3',
        type: 'iam',
        title: 'AdministratorAccess is attached',
        resource: 'aws_iam_group_policy_attachment.support',
      },
      {
        id: 'r4',
        type: 'authentication',
        title: 'Cognito user pool asks for no second factor',
        resource: 'aws_cognito_user_pool.staff',
      },
    ],
    blue: [
      {
        title: 'Auditor can get in without external id or second factor',
        description: 'The extra statement repeats the trust without its two conditions.',
        resource: 'aws_iam_role.auditor',
      },
      { title: 'Passwords need no capital letters', resource: 'strict password policy' },
      {
        title: 'Staff log in with a password only',
        description: 'Multi-factor authentication of the user pool is OFF.',
        resource: 'aws_cognito_user_pool.staff',
      },
      { title: 'Support staff are administrators', resource: 'aws_iam_group_policy_attachment.support' },
      { title: 'Hard expiry is disabled', resource: 'aws_iam_account_password_policy.strict' },
    ],
    pairs: [
      [0, 1],
      [1, 0],
      [2, 3],
      [3, 2],
    ],
  },
  {
    name: 'a template, whose resources have names only',
    red: [
      {
        id: 'r1',
        type: 'network',
        title: 'Subnet gives its instances public addresses',
        resource: 'AWS::EC2::Subnet.PrivateSubnetA',
      },
      {
        id: 'r2',
        type: 'network',
        title: 'Security group lets everything out to the whole internet',
        attribute: 'SecurityGroupEgress.CidrIp',
        resource: 'AWS::EC2::SecurityGroup.EndpointSecurityGroup',
      },
      {
        id: 'r3',
        type: 'access_control',
        title: 'Key policy admits any principal',
        description: 'AWS::KMS::Key.FlowLogKey is a key that anyone may use, whatever account they come from.',
        resource: 'AWS::KMS::Key.FlowLogKey',
      },
      { id: 'r4', type: 'logging', title: 'VPC has no flow logs', resource: 'AWS::EC2::VPC.Vpc' },
    ],
    blue: [
      {
        title: 'Endpoints may talk to any destination',
        description: '"Nothing leaves", says the description, but egress is unrestricted.',
        resource: 'EndpointSecurityGroup',
      },
      { title: 'Machines in private subnet A get public addresses', resource: 'PrivateSubnetA' },
      { title: 'Private ACL not attached to a subnet', resource: 'PrivateAcl' },
      {
        title: 'Everyone can use and administer the flow log key',
        description: 'Principal AWS * with kms:*',
        resource: 'FlowLogKey',
      },
    ],
    pairs: [
      [0, 1],
      [1, 0],
      [2, 3],
    ],
  },
];

test.each(GAMES)('$name', ({ red, blue, pairs }) => {
  const { matches } = new JudgeAgent({ matcher: 'evidence' }).score({ vulnerabilities: red }, blue);
  const found = matches.map(({ vulnerabilityIndex, findingIndex }) => [vulnerabilityIndex, findingIndex]);
  expect(found.toSorted()).toEqual(pairs);
});
