import { kindOf } from '../../iac/relations/kinds.ts';
import {
  Blocks,
  type Code,
  Containers,
  Lookup,
  type LookupType,
  OwnAccount,
  Policy,
  Reference,
  type WrittenResource,
} from './code.ts';

/** The block of a resource, or of a policy document. */
export function terraformResource({ kind, name, properties }: WrittenResource): string {
  const type = kindOf(kind).terraform;
  const head = type.startsWith('data.') ? `data "${type.slice('data.'.length)}"` : `resource "${type}"`;
  return `${head} "${name}" {\n${body(properties)}\n}`;
}

function body(properties: Readonly<Record<string, Code>>): string {
  const written = Object.entries(properties).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (value instanceof Blocks)
      return value.maps.map((map) => ({ isBlock: true, text: `${name} {\n${body(map)}\n}` }));
    return [{ isBlock: false, text: `${name} = ${terraformValue(value)}` }];
  });
  return written
    .map(({ isBlock, text }, at) => `${at > 0 && (isBlock || text.includes('\n')) ? '\n' : ''}${indented(text)}`)
    .join('\n');
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

function terraformValue(value: Exclude<Code, Blocks | undefined>): string {
  if (value instanceof Reference) {
    const { to, attribute } = value;
    const type = to.kind ? kindOf(to.kind).terraform : to.type;
    return `${type}.${to.name}.${attribute}`;
  }
  if (value instanceof Lookup) return `data.${LOOKUPS[value.type].type}.${value.name}.${LOOKUPS[value.type].attribute}`;
  if (value instanceof OwnAccount) return `"${value.text.replace('{account}', OWN_ACCOUNT)}"`;
  if (value instanceof Policy) {
    return `jsonencode(${objectCode({ Version: '2012-10-17', Statement: value.statements.map((one) => ({ ...one })) })})`;
  }
  if (value instanceof Containers) return `jsonencode(${listCode(value.all)})`;
  if (Array.isArray(value)) return listCode(value);
  return typeof value === 'object' ? objectCode(Object.fromEntries(Object.entries(value))) : JSON.stringify(value);
}

/** The data source that the code must have for an `OwnAccount`. */
export const ACCOUNT_SOURCE = 'data "aws_caller_identity" "current" {}';
// biome-ignore lint/suspicious/noTemplateCurlyInString: this is Terraform.
const OWN_ACCOUNT = '${data.aws_caller_identity.current.account_id}';

function listCode(items: readonly Code[]): string {
  const codes = items.flatMap((item) => (item === undefined || item instanceof Blocks ? [] : [terraformValue(item)]));
  const [only] = codes;
  if (codes.length === 1 && only?.startsWith('{')) return `[${only}]`;
  const line = `[${codes.join(', ')}]`;
  if (!codes.some((code) => code.includes('\n')) && line.length < 90) return line;
  return `[\n${codes.map((code) => indented(`${code},`)).join('\n')}\n]`;
}

function objectCode(map: Readonly<Record<string, Code>>): string {
  const entries = Object.entries(map).flatMap(([name, value]) => {
    if (value === undefined || value instanceof Blocks) return [];
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return [`${key} = ${terraformValue(value)}`];
  });
  const line = `{ ${entries.join(', ')} }`;
  if (entries.length === 1 && !line.includes('\n') && line.length < 90) return line;
  return `{\n${entries.map(indented).join('\n')}\n}`;
}

const LOOKUPS: Readonly<Record<LookupType, { type: string; attribute: string; code(name: string): string }>> = {
  vpc: { type: 'aws_vpc', attribute: 'id', code: (name) => `tags = { Name = "${name}" }` },
  vpcEndpoint: { type: 'aws_vpc_endpoint', attribute: 'id', code: (name) => `tags = { Name = "${name}" }` },
  address: { type: 'aws_eip', attribute: 'id', code: (name) => `tags = { Name = "${name}" }` },
  transitGateway: { type: 'aws_ec2_transit_gateway', attribute: 'id', code: (name) => filterCode(name) },
  listener: {
    type: 'aws_lb_listener',
    attribute: 'arn',
    code: (name) => `load_balancer_arn = data.aws_lb.${name}.arn\nport = 443`,
  },
  targetGroup: { type: 'aws_lb_target_group', attribute: 'arn', code: (name) => `name = "${dashed(name)}"` },
};

function filterCode(name: string): string {
  return `filter {\n  name = "tag:Name"\n  values = ["${name}"]\n}`;
}

function dashed(name: string): string {
  return name.replaceAll('_', '-');
}

/** The data source of a lookup, and what it needs itself. */
export function terraformLookup({ type, name }: Lookup): string[] {
  const block = (kind: string, code: string) => `data "${kind}" "${name}" {\n${indented(code)}\n}`;
  const own = block(LOOKUPS[type].type, LOOKUPS[type].code(name));
  return type === 'listener' ? [block('aws_lb', `name = "${dashed(name)}"`), own] : [own];
}
