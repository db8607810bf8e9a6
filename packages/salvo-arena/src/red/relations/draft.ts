import type { KindName } from '../../iac/relations/kinds.ts';
import { kindOf } from '../../iac/relations/kinds.ts';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import { pascalName } from '../mutation/techniques/names.ts';
import {
  Blocks,
  type Code,
  Lookup,
  type LookupType,
  type Named,
  OwnAccount,
  Policy,
  Reference,
  type StatementCode,
  type WrittenResource,
} from './code.ts';

/** A resource of the template that others may use. */
export interface Asset extends Named {
  arn: Reference;
  /** An action that reads or changes it. */
  use: string;
  /** The action that deletes it. */
  remove: string;
}

/** What is drawn for an arrangement, the same for its safe and for its weak form. */
export interface Drawn {
  /** `billing`: the first word of all names. */
  app: string;
  /** Second words, each used once. */
  words: readonly string[];
  /** Of somebody else. */
  account: string;
  /** Hexadecimal digits. */
  code: string;
  /** Of private addresses: 10.x. */
  network: number;
  asset: Asset | null;
  logGroup: Asset | null;
  backedUp: Asset | null;
}

/** The resources of an arrangement in one language and in one of its forms. */
export class Draft {
  readonly language: CodeLanguage;
  readonly drawn: Drawn;
  readonly resources: WrittenResource[] = [];
  readonly lookups: Lookup[] = [];
  readonly #isWeak: boolean;
  #named = 0;

  constructor(language: CodeLanguage, drawn: Drawn, isWeak: boolean) {
    this.language = language;
    this.drawn = drawn;
    this.#isWeak = isWeak;
  }

  /** The values that decide. Both forms of an arrangement have the same values, at other places. */
  pick<T>(weak: T, safe: T): T {
    return this.#isWeak ? weak : safe;
  }

  get isTerraform(): boolean {
    return this.language === 'terraform';
  }

  /** Two values: in their order in the weak form, exchanged in the safe one. */
  order<T>(one: T, other: T): [T, T] {
    return this.pick([one, other], [other, one]);
  }

  /** A new word of names: `billing-relay`. */
  word(): string {
    const word = this.drawn.words[this.#named] ?? `part${this.#named}`;
    this.#named += 1;
    return `${this.drawn.app}-${word}`;
  }

  named(kind: KindName, word: string): Named {
    const name = this.isTerraform ? word.replaceAll('-', '_') : pascalName(word, SUFFIXES[kind] ?? '');
    return { kind, type: kindOf(kind)[this.language] ?? '', name };
  }

  add(kind: KindName, word: string, properties: Readonly<Record<string, Code>>): Named {
    const named = this.named(kind, word);
    this.resources.push({ kind, name: named.name, properties });
    return named;
  }

  lookup(type: LookupType, word = this.drawn.app): Lookup {
    const lookup = new Lookup(type, word.replaceAll('-', '_'));
    if (!this.lookups.some((one) => one.type === type && one.name === lookup.name)) this.lookups.push(lookup);
    return lookup;
  }

  /** A role with a policy of its own. */
  role(word: string, trust: StatementCode, ...allowed: StatementCode[]): Named {
    const role = this.add('role', word, { name: word, assume_role_policy: new Policy([trust]) });
    if (allowed.length > 0) {
      this.add('rolePolicy', word, { name: word, role: ref(role, 'name'), policy: new Policy(allowed) });
    }
    return role;
  }

  /** A policy of its own that a role has. */
  managedPolicy(word: string, role: Named, ...allowed: StatementCode[]): void {
    const properties = { name: word, policy: new Policy(allowed) };
    if (!this.isTerraform) {
      this.add('policy', word, { ...properties, roles: [ref(role, 'name')] });
      return;
    }
    const policy = this.add('policy', word, properties);
    this.add('policyAttachment', word, { role: ref(role, 'name'), policy_arn: ref(policy, 'arn') });
  }

  /** A key that only the owner's account administers, with further statements. */
  key(word: string, description: string, ...others: StatementCode[]): Named {
    return this.add('key', word, {
      description,
      enable_key_rotation: true,
      deletion_window_in_days: 30,
      policy: new Policy([KEY_ADMINISTRATION, ...others]),
    });
  }

  /** The service of a program that works with a role is drawn: none of them says what the role is for. */
  trustOfWorker(): StatementCode {
    const digit = Number.parseInt(this.drawn.code.charAt(this.#named % this.drawn.code.length), 16);
    return trustOfService(`${WORKERS[digit % WORKERS.length]}.amazonaws.com`);
  }

  /** The role of somebody else that may assume a role. */
  trustOfAccount(): StatementCode {
    const { account, app, code } = this.drawn;
    return {
      Effect: 'Allow',
      Principal: { AWS: `arn:aws:iam::${account}:role/${app}` },
      Action: 'sts:AssumeRole',
      Condition: { StringEquals: { 'sts:ExternalId': `${app}-${code}` } },
    };
  }

  get asset(): Asset {
    if (!this.drawn.asset) throw new Error('An arrangement asks for an asset that it does not need.');
    return this.drawn.asset;
  }

  /** A permission that harms nobody: to count in a place of its own. */
  metrics(): StatementCode {
    return {
      Effect: 'Allow',
      Action: 'cloudwatch:PutMetricData',
      Resource: '*',
      Condition: { StringEquals: { 'cloudwatch:namespace': this.drawn.app } },
    };
  }

  assetUse(): StatementCode {
    return allow(this.asset.use, this.asset.arn);
  }
}

const WORKERS = ['ecs-tasks', 'lambda', 'codebuild', 'ssm', 'states'];

const KEY_ADMINISTRATION: StatementCode = {
  Sid: 'Administration',
  Effect: 'Allow',
  Principal: { AWS: new OwnAccount('arn:aws:iam::{account}:root') },
  Action: 'kms:*',
  Resource: '*',
};

/** CloudFormation has one name for all kinds. */
const SUFFIXES: Partial<Record<KindName, string>> = {
  role: 'Role',
  rolePolicy: 'Permissions',
  policy: 'Policy',
  topicPolicy: 'TopicPolicy',
  topicSubscription: 'Subscription',
  queuePolicy: 'QueuePolicy',
  queue: 'Queue',
  topic: 'Topic',
  key: 'Key',
  keyAlias: 'Alias',
  vault: 'Vault',
  backupPlan: 'Plan',
  backupSelection: 'Selection',
  subnet: 'Subnet',
  routeTable: 'Routes',
  route: 'Route',
  routeAssociation: 'Association',
  securityGroup: 'Group',
  ingressRule: 'Ingress',
  egressRule: 'Egress',
  eventBus: 'Bus',
  eventBusPolicy: 'BusPolicy',
  eventRule: 'Rule',
  stream: 'Stream',
  logGroup: 'Logs',
  logSubscription: 'Forwarding',
  networkInterface: 'Interface',
  elasticIpAssociation: 'AddressUse',
  accessEntry: 'Access',
  taskDefinition: 'Task',
  domainList: 'Domains',
};

export function ref(to: Named, attribute: string): Reference {
  return new Reference(to, attribute);
}

export function allow(action: string | readonly string[], resource: Code): StatementCode {
  return { Effect: 'Allow', Action: action, Resource: resource };
}

export function trustOfService(service: string): StatementCode {
  return { Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' };
}

export function trustOfRole(role: Named): StatementCode {
  return { Effect: 'Allow', Principal: { AWS: ref(role, 'arn') }, Action: 'sts:AssumeRole' };
}

export function block(map: Readonly<Record<string, Code>>): Blocks {
  return new Blocks([map], false);
}

export function blocks(...maps: Readonly<Record<string, Code>>[]): Blocks {
  return new Blocks(maps, true);
}
