/** The account of AWS's own documentation. */
const ACCOUNT = '111122223333';

/** One principal of this account: the account itself where the policy of a key must name it, otherwise one role. */
export function exampleRole(name: string, isRoot: boolean): string {
  return `arn:aws:iam::${ACCOUNT}:${isRoot ? 'root' : `role/${name}`}`;
}

/** One resource that an action is for. */
export function exampleArn(action: string, name: string): string {
  const service = action.split(':')[0] ?? 's3';
  if (service === 's3') return `arn:aws:s3:::${name}/*`;
  return `arn:aws:${service}:*:${ACCOUNT}:${KINDS[service] ?? ''}${name}${service === 'logs' ? ':*' : ''}`;
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

/** `document_archive` and `DocumentArchive` as part of an ARN: `document-archive`. */
export function exampleName(address: string): string {
  const label = address.split('.').at(-1) ?? address;
  return label
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
    .replace(/-policy$/, '');
}
