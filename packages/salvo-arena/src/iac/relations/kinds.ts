import { remembered } from 'salvo/kit/text';
import type { CodeLanguage } from '../syntax/code-block.ts';

interface Kind {
  terraform: string;
  /** Null where CloudFormation has no such resource. */
  cloudformation: string | null;
  /** Names of CloudFormation that are not those of Terraform in capitals: `AssumeRolePolicyDocument`. */
  names?: Readonly<Record<string, string>>;
  /** What `!Ref` gives, or the attribute of `!GetAtt`, for an attribute of Terraform. By default `arn` is `Arn`. */
  attributes?: Readonly<Record<string, string>>;
}

const REF = 'Ref';

/**
 * The kinds of resources that relations are about, in both languages. Relations read resources, and Red writes them,
 * under the names of Terraform.
 */
export const KINDS = {
  role: {
    terraform: 'aws_iam_role',
    cloudformation: 'AWS::IAM::Role',
    names: { name: 'RoleName', assume_role_policy: 'AssumeRolePolicyDocument' },
  },
  rolePolicy: {
    terraform: 'aws_iam_role_policy',
    cloudformation: 'AWS::IAM::RolePolicy',
    names: { name: 'PolicyName', role: 'RoleName', policy: 'PolicyDocument' },
  },
  policy: {
    terraform: 'aws_iam_policy',
    cloudformation: 'AWS::IAM::ManagedPolicy',
    names: { name: 'ManagedPolicyName', policy: 'PolicyDocument' },
    attributes: { arn: REF },
  },
  policyAttachment: { terraform: 'aws_iam_role_policy_attachment', cloudformation: null },
  oidcProvider: {
    terraform: 'aws_iam_openid_connect_provider',
    cloudformation: 'AWS::IAM::OIDCProvider',
    names: { client_id_list: 'ClientIdList' },
  },
  accessEntry: { terraform: 'aws_eks_access_entry', cloudformation: 'AWS::EKS::AccessEntry' },
  accessPolicy: { terraform: 'aws_eks_access_policy_association', cloudformation: null },
  taskDefinition: {
    terraform: 'aws_ecs_task_definition',
    cloudformation: 'AWS::ECS::TaskDefinition',
    attributes: { arn: REF },
  },
  logGroup: {
    terraform: 'aws_cloudwatch_log_group',
    cloudformation: 'AWS::Logs::LogGroup',
    names: { name: 'LogGroupName' },
  },
  logSubscription: {
    terraform: 'aws_cloudwatch_log_subscription_filter',
    cloudformation: 'AWS::Logs::SubscriptionFilter',
    names: { name: 'FilterName' },
  },
  stream: { terraform: 'aws_kinesis_stream', cloudformation: 'AWS::Kinesis::Stream' },
  topic: {
    terraform: 'aws_sns_topic',
    cloudformation: 'AWS::SNS::Topic',
    names: { name: 'TopicName' },
    attributes: { arn: REF },
  },
  topicPolicy: {
    terraform: 'aws_sns_topic_policy',
    cloudformation: 'AWS::SNS::TopicPolicy',
    names: { policy: 'PolicyDocument', arn: 'Topics' },
  },
  topicSubscription: { terraform: 'aws_sns_topic_subscription', cloudformation: 'AWS::SNS::Subscription' },
  queue: {
    terraform: 'aws_sqs_queue',
    cloudformation: 'AWS::SQS::Queue',
    names: { name: 'QueueName' },
    attributes: { url: REF, id: REF },
  },
  queuePolicy: {
    terraform: 'aws_sqs_queue_policy',
    cloudformation: 'AWS::SQS::QueuePolicy',
    names: { policy: 'PolicyDocument', queue_url: 'Queues' },
  },
  pipe: { terraform: 'aws_pipes_pipe', cloudformation: 'AWS::Pipes::Pipe' },
  eventBus: { terraform: 'aws_cloudwatch_event_bus', cloudformation: 'AWS::Events::EventBus' },
  eventBusPolicy: {
    terraform: 'aws_cloudwatch_event_bus_policy',
    cloudformation: 'AWS::Events::EventBusPolicy',
    names: { policy: 'Statement' },
  },
  eventRule: { terraform: 'aws_cloudwatch_event_rule', cloudformation: 'AWS::Events::Rule' },
  eventTarget: { terraform: 'aws_cloudwatch_event_target', cloudformation: null },
  key: {
    terraform: 'aws_kms_key',
    cloudformation: 'AWS::KMS::Key',
    names: { policy: 'KeyPolicy', deletion_window_in_days: 'PendingWindowInDays' },
  },
  keyAlias: { terraform: 'aws_kms_alias', cloudformation: 'AWS::KMS::Alias', names: { name: 'AliasName' } },
  keyGrant: { terraform: 'aws_kms_grant', cloudformation: null },
  vault: {
    terraform: 'aws_backup_vault',
    cloudformation: 'AWS::Backup::BackupVault',
    names: { name: 'BackupVaultName', kms_key_arn: 'EncryptionKeyArn', policy: 'AccessPolicy' },
  },
  vaultPolicy: { terraform: 'aws_backup_vault_policy', cloudformation: null },
  backupPlan: { terraform: 'aws_backup_plan', cloudformation: 'AWS::Backup::BackupPlan' },
  backupSelection: { terraform: 'aws_backup_selection', cloudformation: 'AWS::Backup::BackupSelection' },
  subnet: {
    terraform: 'aws_subnet',
    cloudformation: 'AWS::EC2::Subnet',
    names: { cidr_block: 'CidrBlock' },
  },
  subnetGroup: {
    terraform: 'aws_db_subnet_group',
    cloudformation: 'AWS::RDS::DBSubnetGroup',
    names: { name: 'DBSubnetGroupName', description: 'DBSubnetGroupDescription' },
  },
  internetGateway: { terraform: 'aws_internet_gateway', cloudformation: 'AWS::EC2::InternetGateway' },
  gatewayAttachment: {
    terraform: 'aws_internet_gateway_attachment',
    cloudformation: 'AWS::EC2::VPCGatewayAttachment',
  },
  routeTable: { terraform: 'aws_route_table', cloudformation: 'AWS::EC2::RouteTable' },
  route: { terraform: 'aws_route', cloudformation: 'AWS::EC2::Route' },
  routeAssociation: {
    terraform: 'aws_route_table_association',
    cloudformation: 'AWS::EC2::SubnetRouteTableAssociation',
  },
  mainRouteTable: { terraform: 'aws_main_route_table_association', cloudformation: null },
  peering: {
    terraform: 'aws_vpc_peering_connection',
    cloudformation: 'AWS::EC2::VPCPeeringConnection',
  },
  networkInterface: {
    terraform: 'aws_network_interface',
    cloudformation: 'AWS::EC2::NetworkInterface',
    names: { security_groups: 'GroupSet' },
  },
  elasticIpAssociation: { terraform: 'aws_eip_association', cloudformation: 'AWS::EC2::EIPAssociation' },
  securityGroup: {
    terraform: 'aws_security_group',
    cloudformation: 'AWS::EC2::SecurityGroup',
    names: { name: 'GroupName', description: 'GroupDescription' },
    attributes: { id: 'GroupId' },
  },
  ingressRule: {
    terraform: 'aws_vpc_security_group_ingress_rule',
    cloudformation: 'AWS::EC2::SecurityGroupIngress',
    names: {
      security_group_id: 'GroupId',
      cidr_ipv4: 'CidrIp',
      prefix_list_id: 'SourcePrefixListId',
      referenced_security_group_id: 'SourceSecurityGroupId',
    },
  },
  egressRule: {
    terraform: 'aws_vpc_security_group_egress_rule',
    cloudformation: 'AWS::EC2::SecurityGroupEgress',
    names: {
      security_group_id: 'GroupId',
      cidr_ipv4: 'CidrIp',
      prefix_list_id: 'DestinationPrefixListId',
      referenced_security_group_id: 'DestinationSecurityGroupId',
    },
  },
  prefixList: {
    terraform: 'aws_ec2_managed_prefix_list',
    cloudformation: 'AWS::EC2::PrefixList',
    names: { name: 'PrefixListName', entry: 'Entries' },
    attributes: { id: 'PrefixListId' },
  },
  networkAcl: { terraform: 'aws_network_acl', cloudformation: 'AWS::EC2::NetworkAcl' },
  networkAclAssociation: {
    terraform: 'aws_network_acl_association',
    cloudformation: 'AWS::EC2::SubnetNetworkAclAssociation',
  },
  networkAclRule: {
    terraform: 'aws_network_acl_rule',
    cloudformation: 'AWS::EC2::NetworkAclEntry',
  },
  listenerRule: {
    terraform: 'aws_lb_listener_rule',
    cloudformation: 'AWS::ElasticLoadBalancingV2::ListenerRule',
    names: { action: 'Actions', condition: 'Conditions' },
  },
  domainList: {
    terraform: 'aws_route53_resolver_firewall_domain_list',
    cloudformation: 'AWS::Route53Resolver::FirewallDomainList',
    attributes: { id: 'Id' },
  },
  dnsRuleGroup: {
    terraform: 'aws_route53_resolver_firewall_rule_group',
    cloudformation: 'AWS::Route53Resolver::FirewallRuleGroup',
    attributes: { id: 'Id' },
  },
  dnsRuleGroupAssociation: {
    terraform: 'aws_route53_resolver_firewall_rule_group_association',
    cloudformation: 'AWS::Route53Resolver::FirewallRuleGroupAssociation',
  },
  dnsRule: { terraform: 'aws_route53_resolver_firewall_rule', cloudformation: null },
  policyDocument: { terraform: 'data.aws_iam_policy_document', cloudformation: null },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;

export function kindOf(name: KindName): Kind {
  return KINDS[name];
}

const kindsByType = new Map<CodeLanguage, Map<string, KindName>>();

/** The kind of a type of resources; `data.` comes before the type of a data source. */
export function kindOfType(language: CodeLanguage, type: string): KindName | undefined {
  const kinds = remembered(kindsByType, language, () => {
    const names = Object.keys(KINDS).filter((name): name is KindName => name in KINDS);
    return new Map(names.flatMap((name) => (KINDS[name][language] ? [[KINDS[name][language], name] as const] : [])));
  });
  return kinds.get(type);
}

/** `AssumeRolePolicyDocument` of `assume_role_policy`. */
export function templateProperty(kind: Kind | null, name: string): string {
  return kind?.names?.[name] ?? name.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** How a template names an attribute of Terraform: `Ref`, or the attribute of `!GetAtt`. */
export function templateAttribute(kind: Kind | null, name: string): string {
  return kind?.attributes?.[name] ?? (name === 'arn' ? 'Arn' : REF);
}
