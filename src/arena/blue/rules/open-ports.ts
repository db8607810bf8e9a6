import type { CodeNode } from './code-node.ts';
import { isAnywhere } from './is-public-cidr.ts';

/** Traffic that a rule of a security group or of a network ACL lets through, from or to anywhere. */
export interface OpenPorts {
  /** Where the address range stands. */
  node: CodeNode;
  attribute: string;
  all: boolean;
  from: number;
  to: number;
  protocol: string;
}

const RANGES = [
  'cidr_blocks',
  'ipv6_cidr_blocks',
  'cidr_ipv4',
  'cidr_ipv6',
  'CidrIp',
  'CidrIpv6',
  'cidr_block',
  'ipv6_cidr_block',
  'CidrBlock',
  'Ipv6CidrBlock',
];
const PROTOCOLS = ['protocol', 'ip_protocol', 'IpProtocol', 'Protocol'];
const TCP_AND_UDP = new Set(['tcp', 'udp', '6', '17']);

/** Null when it is limited, or when it is not known whether it is. */
export function openPorts(rule: CodeNode): OpenPorts | null {
  const attribute = RANGES.find((name) => rule.children(name).some((child) => child.items().some(isOpen)));
  const [node] = attribute === undefined ? [] : rule.children(attribute);
  if (!node || attribute === undefined) return null;
  const protocolNode = PROTOCOLS.flatMap((name) => rule.children(name))[0];
  if (protocolNode && !protocolNode.known) return null;
  const protocol = String(protocolNode?.json ?? '-1').toLowerCase();
  if (protocol === '-1' || protocol === 'all')
    return { node, attribute, all: true, from: 0, to: 65_535, protocol: 'all' };
  const range = rule.children('PortRange')[0];
  const from = numberAt(rule, 'from_port') ?? numberAt(rule, 'FromPort') ?? (range ? numberAt(range, 'From') : null);
  const to = numberAt(rule, 'to_port') ?? numberAt(rule, 'ToPort') ?? (range ? numberAt(range, 'To') : null);
  if (from === null || to === null || !TCP_AND_UDP.has(protocol)) return null;
  return { node, attribute, all: from <= 1 && to >= 65_535, from, to, protocol };
}

function isOpen({ json, known }: CodeNode): boolean {
  return known && typeof json === 'string' && isAnywhere(json);
}

function numberAt(node: CodeNode, name: string): number | null {
  const [child] = node.children(name);
  if (!child?.known) return null;
  const number = Number(child.json);
  return Number.isFinite(number) ? number : null;
}
