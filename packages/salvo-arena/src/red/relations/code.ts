import type { KindName } from '../../iac/relations/kinds.ts';

/** A resource that code can refer to. */
export interface Named {
  /** Null for a resource of the template, whose type is `type`. */
  kind: KindName | null;
  type: string;
  name: string;
}

/** A value in either language. Names of maps are those of Terraform. */
export type Code =
  | string
  | number
  | boolean
  | undefined
  | readonly Code[]
  | { readonly [name: string]: Code }
  | Reference
  | Lookup
  | Policy
  | Blocks
  | Containers
  | OwnAccount;

/** An attribute of another resource: `arn`, `id`, `name`. */
export class Reference {
  readonly to: Named;
  readonly attribute: string;
  /** For a resource of the template: how a template names its ARN. */
  readonly inTemplate: string | undefined;
  constructor(to: Named, attribute: string, inTemplate?: string) {
    this.to = to;
    this.attribute = attribute;
    this.inTemplate = inTemplate;
  }
}

/** Something that other code owns: a data source in Terraform, an import in CloudFormation. */
export class Lookup {
  readonly type: LookupType;
  readonly name: string;
  constructor(type: LookupType, name: string) {
    this.type = type;
    this.name = name;
  }
}

export type LookupType = 'vpc' | 'transitGateway' | 'listener' | 'targetGroup' | 'vpcEndpoint' | 'address';

export interface StatementCode {
  Sid?: string;
  Effect: 'Allow' | 'Deny';
  Principal?: Readonly<Record<string, Code>>;
  Action: string | readonly string[];
  Resource?: Code;
  Condition?: Readonly<Record<string, Readonly<Record<string, Code>>>>;
}

/** The document of a policy. */
export class Policy {
  readonly statements: readonly StatementCode[];
  constructor(statements: readonly StatementCode[]) {
    this.statements = statements;
  }
}

/** Nested blocks in Terraform; a map, or with `isList` a list of maps, in CloudFormation. */
export class Blocks {
  readonly maps: readonly Readonly<Record<string, Code>>[];
  readonly isList: boolean;
  constructor(maps: readonly Readonly<Record<string, Code>>[], isList: boolean) {
    this.maps = maps;
    this.isList = isList;
  }
}

/** The containers of a task: JSON in Terraform. */
export class Containers {
  readonly all: readonly Readonly<Record<string, Code>>[];
  constructor(all: readonly Readonly<Record<string, Code>>[]) {
    this.all = all;
  }
}

export interface WrittenResource {
  kind: KindName;
  name: string;
  properties: Readonly<Record<string, Code>>;
}

/** A text with the number of the account that the code is deployed to in place of `{account}`. */
export class OwnAccount {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
