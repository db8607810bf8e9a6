import type { Json } from '../../iac/evaluate/value.ts';
import { foldedName } from '../../text/folded-name.ts';
import { isRecord } from '../../text/is-record.ts';
import { isKnown } from './code-facts.ts';
import type { GatedBlock } from './gated-code.ts';

/** One thing that a firewall lets through. */
export interface NetworkRule {
  direction: 'in' | 'out' | 'unknown';
  /** It lets in the whole world; null when its addresses are not known. */
  open: boolean | null;
  /** From and to; null when all or not known. */
  ports: [number, number] | null;
}

const ADDRESSES = new Set([
  'cidrblocks',
  'ipv6cidrblocks',
  'cidripv4',
  'cidripv6',
  'cidrip',
  'cidrblock',
  'ipv6cidrblock',
]);
const WORLD = /^(?:0\.0\.0\.0\/0|::\/0|0:0:0:0:0:0:0:0\/0)$/;
/** Deeper than any firewall's rules are nested. */
const DEEPEST = 8;

/** Whether a resource is about who may reach what. */
export function isFirewall({ type }: GatedBlock): boolean {
  return /security_?group|network_?acl/i.test(type);
}

export function networkRules(block: GatedBlock): NetworkRule[] {
  const direction = directionIn(block.type);
  return block.values().flatMap((value) => rulesIn(value, direction, DEEPEST));
}

function rulesIn(value: Json, direction: NetworkRule['direction'], depth: number): NetworkRule[] {
  if (depth === 0) return [];
  if (Array.isArray(value)) return value.flatMap((item) => rulesIn(item, direction, depth - 1));
  if (!isRecord(value)) return [];
  const fields = new Map(Object.entries(value).map(([name, item]): [string, Json] => [foldedName(name), item]));
  const inner = Object.entries(value).flatMap(([name, item]) => {
    const own = directionIn(name);
    return rulesIn(item, own === 'unknown' ? direction : own, depth - 1);
  });
  const addresses = [...fields].filter(([name]) => ADDRESSES.has(name)).flatMap(([, item]) => item);
  if (addresses.length === 0 || /deny/i.test(String(fields.get('ruleaction') ?? fields.get('action') ?? '')))
    return inner;
  const world = addresses.some((address) => typeof address === 'string' && WORLD.test(address.trim()));
  const own = directionIn(String(fields.get('type') ?? ''));
  const egress = fields.get('egress');
  const stated = typeof egress === 'boolean' ? (egress ? 'out' : 'in') : own;
  return [
    {
      direction: stated === 'unknown' ? direction : stated,
      open: world ? true : addresses.every(isKnown) ? false : null,
      ports: portsOf(fields),
    },
    ...inner,
  ];
}

function directionIn(text: string): NetworkRule['direction'] {
  if (/ingress|inbound/i.test(text)) return 'in';
  return /egress|outbound/i.test(text) ? 'out' : 'unknown';
}

function portsOf(fields: ReadonlyMap<string, Json>): [number, number] | null {
  const protocol = String(fields.get('protocol') ?? fields.get('ipprotocol') ?? '');
  const from = Number(fields.get('fromport') ?? Number.NaN);
  const to = Number(fields.get('toport') ?? Number.NaN);
  if (protocol === '-1' || protocol === 'all' || Number.isNaN(from) || Number.isNaN(to)) return null;
  return [from, to];
}
