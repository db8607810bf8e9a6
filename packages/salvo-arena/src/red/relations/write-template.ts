import { type KindName, kindOf, templateAttribute, templateProperty } from '../../iac/relations/kinds.ts';
import { Blocks, type Code, Containers, Lookup, OwnAccount, Policy, Reference, type WrittenResource } from './code.ts';

/** The entry of a resource in the section `Resources`, without indentation. */
export function templateResource({ kind, name, properties }: WrittenResource): string {
  const type = kindOf(kind).cloudformation;
  if (type === null) throw new Error(`CloudFormation has no resource for ${kind}.`);
  return `${name}:\n  Type: ${type}\n  Properties:\n${indented(mapCode(properties, kind), 4)}`;
}

function indented(text: string, by: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(by));
}

/** Names are translated in properties, and kept in policies, conditions and options. */
type Names = KindName | 'properties' | 'as written' | 'containers';

function mapCode(map: Readonly<Record<string, Code>>, names: Names): string {
  return Object.entries(map)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [entryCode(keyCode(name, names), value, innerNames(name, names))],
    )
    .join('\n');
}

function keyCode(name: string, names: Names): string {
  if (names === 'as written') return /^[\w:./-]+$/.test(name) ? name : JSON.stringify(name);
  if (names === 'containers') return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return templateProperty(names === 'properties' ? null : kindOf(names), name);
}

function innerNames(name: string, names: Names): Names {
  if (names === 'as written' || names === 'containers') return name === 'options' ? 'as written' : names;
  return name === 'event_pattern' ? 'as written' : 'properties';
}

function entryCode(key: string, value: Exclude<Code, undefined>, names: Names): string {
  const code = valueCode(value, names);
  if (code.isInline) return `${key}: ${code.text}`;
  return `${key}:\n${indented(code.text, 2)}`;
}

interface ValueCode {
  text: string;
  isInline: boolean;
}

const inline = (text: string): ValueCode => ({ text, isInline: true });

function valueCode(value: Exclude<Code, undefined>, names: Names): ValueCode {
  if (value instanceof Reference) return inline(referenceCode(value));
  if (value instanceof Lookup) return inline(`!ImportValue ${value.name.replaceAll('_', '-')}-${IMPORTED[value.type]}`);
  if (value instanceof OwnAccount) return inline(`!Sub ${value.text.replace('{account}', OWN_ACCOUNT)}`);
  if (value instanceof Policy) {
    const document = { Version: '2012-10-17', Statement: value.statements.map((one) => ({ ...one })) };
    return { text: mapCode(document, 'as written'), isInline: false };
  }
  if (value instanceof Containers) return listCode(value.all, 'containers');
  if (value instanceof Blocks) {
    const [first] = value.maps;
    return value.isList || !first ? listCode(value.maps, names) : { text: mapCode(first, names), isInline: false };
  }
  if (Array.isArray(value)) return listCode(value, names);
  if (typeof value === 'object')
    return { text: mapCode(Object.fromEntries(Object.entries(value)), names), isInline: false };
  return inline(typeof value === 'string' ? textCode(value) : String(value));
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: this is CloudFormation.
const OWN_ACCOUNT = '${AWS::AccountId}';

const IMPORTED = {
  vpc: 'vpc-id',
  vpcEndpoint: 'endpoint-id',
  address: 'allocation-id',
  transitGateway: 'transit-gateway-id',
  listener: 'listener-arn',
  targetGroup: 'target-group-arn',
} as const;

function listCode(items: readonly Code[], names: Names): ValueCode {
  const lines = items.flatMap((item) => {
    if (item === undefined) return [];
    const { text } = valueCode(item, names);
    return [`- ${indented(text, 2).trimStart()}`];
  });
  return { text: lines.join('\n'), isInline: false };
}

function referenceCode({ to, attribute, inTemplate }: Reference): string {
  const own = inTemplate ?? templateAttribute(to.kind ? kindOf(to.kind) : null, attribute);
  return own === 'Ref' ? `!Ref ${to.name}` : `!GetAtt ${to.name}.${own}`;
}

/** Quoted where YAML would read something else than this text. */
function textCode(text: string): string {
  const isPlain =
    /^[A-Za-z/][\w./@=+-]*(?::[\w./@=*+-]+)*(?: [\w./@=*+-]+)*$/.test(text) &&
    !/^(?:true|false|yes|no|on|off|null)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
