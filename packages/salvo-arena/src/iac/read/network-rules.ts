import { foldedName, remembered } from 'salvo/kit/text';
import { equalsSetting, isKnownThroughout } from '../evaluate/value.ts';
import type { CodeNode } from './code-node.ts';
import { isOpenRange } from './public-cidr.ts';

/** One rule of a security group or of a network ACL. */
export interface NetworkRule {
  /** Null when neither the rule nor anything around it says. */
  direction: 'in' | 'out' | null;
  /** `allow` or `deny` in a network ACL, in lower case; null when the rule does not say, or not for sure. */
  action: string | null;
  /** Whether it is about the whole internet; null when its addresses are unknown. */
  isPublic: boolean | null;
  /** The attributes with address ranges. */
  ranges: AddressRange[];
  /** The first of them with a public address range in it. */
  publicRange: AddressRange | null;
  /** In lower case, `all` for every protocol; null when it is unknown. */
  protocol: string | null;
  /** From and to, both inclusive; null when they are unknown. */
  ports: [number, number] | null;
}

export interface AddressRange {
  node: CodeNode;
  attribute: string;
}

/** In this order, the first public one is shown. */
const RANGES = ['cidrblocks', 'ipv6cidrblocks', 'cidripv4', 'cidripv6', 'cidrip', 'cidrblock', 'ipv6cidrblock'];

const ALL_PORTS: [number, number] = [0, 65_535];

/** Deeper than rules of any firewall are nested; hostile code may nest more. */
const DEEPEST = 8;

/** All rules in a firewall. `direction` is what its type says, such as `aws_vpc_security_group_ingress_rule`. */
export function networkRulesBelow(node: CodeNode, direction: NetworkRule['direction'], depth = DEEPEST): NetworkRule[] {
  if (depth === 0) return [];
  return node.items().flatMap((item) => {
    const own = networkRule(item, direction);
    const inner = item.names().flatMap((name) => {
      const children = item.children(name);
      return children.flatMap((child) => networkRulesBelow(child, directionIn(name) ?? direction, depth - 1));
    });
    return own ? [own, ...inner] : inner;
  });
}

const knownRules = new Map<NetworkRule['direction'], WeakMap<CodeNode, NetworkRule | null>>();

/** The rule that a node is; null for a node without address ranges. It is read once, however many checks ask for it. */
export function networkRule(node: CodeNode, around: NetworkRule['direction'] = null): NetworkRule | null {
  const known = remembered(knownRules, around, () => new WeakMap());
  return remembered(known, node, () => readRule(node, around));
}

function readRule(node: CodeNode, around: NetworkRule['direction']): NetworkRule | null {
  if (!node.known) return null;
  const names = new Map(node.names().map((name) => [foldedName(name), name]));
  const fields = (folded: string): CodeNode[] => node.children(names.get(folded) ?? '');
  const ranges = RANGES.flatMap((folded) =>
    fields(folded).map((range) => ({ node: range, attribute: names.get(folded) ?? folded })),
  );
  if (ranges.length === 0) return null;
  const publicRange = ranges.find((range) => range.node.items().some(isPublic)) ?? null;
  const isKnown = ranges.every((range) => isKnownThroughout(range.node.json));
  const [action] = [...fields('ruleaction'), ...fields('action')];
  const protocol = protocolOf([...fields('protocol'), ...fields('ipprotocol')][0]);
  return {
    direction: directionOf(fields, around, action !== undefined),
    action: action?.known ? String(action.json).toLowerCase() : null,
    isPublic: publicRange ? true : isKnown ? false : null,
    ranges,
    publicRange,
    protocol,
    ports: protocol === 'all' ? ALL_PORTS : portsOf(fields),
  };
}

export function directionIn(name: string): NetworkRule['direction'] {
  if (/ingress|inbound/i.test(name)) return 'in';
  return /egress|outbound/i.test(name) ? 'out' : null;
}

/** A rule of a network ACL is about incoming traffic unless it says otherwise. */
function directionOf(
  fields: (folded: string) => CodeNode[],
  around: NetworkRule['direction'],
  isAclRule: boolean,
): NetworkRule['direction'] {
  const [egress] = fields('egress');
  if (egress && typeof egress.json !== 'object') {
    if (!egress.known) return null;
    return equalsSetting(egress.json, true) ? 'out' : 'in';
  }
  const [type] = fields('type');
  return (type?.known ? directionIn(String(type.json)) : null) ?? around ?? (isAclRule ? 'in' : null);
}

function isPublic({ known, json }: CodeNode): boolean {
  return known && typeof json === 'string' && isOpenRange(json);
}

/** A rule without a protocol is about all of them. */
function protocolOf(node: CodeNode | undefined): string | null {
  if (!node) return 'all';
  if (!node.known) return null;
  return equalsSetting(node.json, '-1') ? 'all' : String(node.json).toLowerCase();
}

/** A rule without ports is about all of them; so are the ports -1, and 0 to 0, which no service listens on. */
function portsOf(fields: (folded: string) => CodeNode[]): [number, number] | null {
  const [range] = fields('portrange');
  const [first, last] = [
    fields('fromport')[0] ?? range?.children('From')[0],
    fields('toport')[0] ?? range?.children('To')[0],
  ];
  if (!first && !last && !range) return ALL_PORTS;
  const [from, to] = [numberOf(first), numberOf(last)];
  if (from === null || to === null) return null;
  return from === to && from <= 0 ? ALL_PORTS : [from, to];
}

function numberOf(node: CodeNode | undefined): number | null {
  if (!node?.known || typeof node.json === 'object') return null;
  const number = Number(node.json);
  return Number.isFinite(number) ? number : null;
}
