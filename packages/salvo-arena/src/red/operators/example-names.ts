import { drawAccount, drawLocalNetwork, drawName, drawNetwork } from '../../templates/generator/drawn-values.ts';
import { createSeededChoice } from '../../templates/seeded-choice.ts';

/** Values for a harmless edit: of the same kind as those that the code has, so that they do not show that it is one. */
export interface OrdinaryValues {
  account: string;
  /** The first two numbers of the addresses of a private network. */
  network: string;
  /** A private network of IPv6. */
  localNetwork: string;
  /** Of a role, a bucket, a queue. */
  name: string;
  /** A policy of AWS with the rights that an agent or a program needs. */
  managedPolicy: string;
}

const MANAGED_POLICIES = [
  'AmazonPrometheusRemoteWriteAccess',
  'AmazonSSMManagedInstanceCore',
  'AWSXRayDaemonWriteAccess',
  'CloudWatchAgentServerPolicy',
  'service-role/AmazonECSTaskExecutionRolePolicy',
  'service-role/AmazonEBSCSIDriverPolicy',
  'service-role/AWSLambdaBasicExecutionRole',
  'service-role/AWSLambdaVPCAccessExecutionRole',
] as const;

/** `key` names the place. Accounts and networks are those of the code, if it has any. */
export function ordinaryValues(key: string, files: readonly { text: string }[] = []): OrdinaryValues {
  const known = files.map(valuesIn);
  const choice = createSeededChoice(
    'ordinary',
    key,
    files.reduce((sum, { text }) => sum + text.length, 0),
  );
  const [account, network] = [drawAccount(choice), drawNetwork(choice)];
  return {
    account: choice.one(known.flatMap(({ accounts }) => accounts)) ?? account,
    network: choice.one(known.flatMap(({ networks }) => networks)) ?? network,
    localNetwork: drawLocalNetwork(choice),
    name: drawName(choice),
    managedPolicy: choice.one(MANAGED_POLICIES) ?? MANAGED_POLICIES[0],
  };
}

const known = new WeakMap<object, { accounts: string[]; networks: string[] }>();

function valuesIn(file: { text: string }) {
  const found = known.get(file) ?? {
    accounts: [...new Set(file.text.match(/(?<=arn:aws:iam::)\d{12}(?=:)/g))],
    networks: [...new Set(file.text.match(/\b(?:10\.\d+|172\.(?:1[6-9]|2\d|3[01]))(?=\.\d+\.\d+\/(?:1[6-9]|2\d)\b)/g))],
  };
  known.set(file, found);
  return found;
}

/** One principal of the account: the account itself where the policy of a key must name it, otherwise one role. */
export function exampleRole({ account, name }: OrdinaryValues, isRoot: boolean): string {
  return `arn:aws:iam::${account}:${isRoot ? 'root' : `role/${name}`}`;
}

/** One resource that an action is for. */
export function exampleArn(action: string, { account, name }: OrdinaryValues): string {
  const service = action.split(':')[0] ?? 's3';
  if (service === 's3') return `arn:aws:s3:::${name}/*`;
  return `arn:aws:${service}:*:${account}:${KINDS[service] ?? ''}${name}${service === 'logs' ? ':*' : ''}`;
}

const KINDS: Readonly<Record<string, string>> = {
  logs: 'log-group:',
  ssm: 'parameter/',
  secretsmanager: 'secret:',
  dynamodb: 'table/',
  lambda: 'function:',
  kms: 'alias/',
  states: 'stateMachine:',
  ecs: 'service/',
  ecr: 'repository/',
};
