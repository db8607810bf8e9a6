import { directionIn, type NetworkRule, networkRulesBelow } from '../iac/read/network-rules.ts';
import { hasPublicCidr } from '../iac/read/public-cidr.ts';
import { phrases, plainWords, says } from './claim-words.ts';
import { type Check, failed, passed } from './gate-result.ts';
import type { GatedClaim } from './gated-claim.ts';
import type { GatedBlock } from './gated-code.ts';

/** Compares a claim that everyone can reach something with the rules of the firewall. Null for other claims. */
export function checkNetwork(claim: GatedClaim, blocks: readonly GatedBlock[]): Check | null {
  const walls = blocks.filter(isFirewall);
  const words = plainWords(`${claim.text} . ${claim.evidence}`);
  const isOpen = says(words, phrases().open) || hasPublicCidr(`${claim.text} ${claim.evidence}`);
  if (walls.length === 0 || walls.length < blocks.length || !isOpen) return null;
  const around = walls.flatMap((wall) => [
    wall,
    ...wall.referringTo.filter((other) => isFirewall(other) && other.deployed()),
  ]);
  const rules = [...new Set(around)].flatMap(allowingRules);
  const outgoing = says(
    plainWords(`${claim.text} . ${claim.evidence} . ${claim.attributes.join(' ')}`),
    phrases().outgoing,
  );
  const meant = outgoing ? rules : rules.filter(({ direction }) => direction !== 'out');
  if (meant.some(({ isPublic }) => isPublic === null)) return null;
  const open = meant.filter((rule) => rule.isPublic === true);
  const where = walls[0]?.address ?? '';
  if (open.length === 0)
    return failed('attribute', `${where} has no ${outgoing ? '' : 'incoming '}rule that is open to the internet`);
  const ports = portsIn(plainWords(claim.headline));
  const [port] = ports;
  if (port !== undefined && !ports.some((each) => open.some((rule) => includes(rule, each)))) {
    return failed('attribute', `${where} has no rule that opens port ${port} to the internet`);
  }
  return passed('attribute', `${where} is open to the internet`);
}

function isFirewall({ type }: GatedBlock): boolean {
  return /security_?group|network_?acl/i.test(type);
}

function allowingRules({ type, nodes }: GatedBlock): NetworkRule[] {
  const rules = nodes().flatMap((node) => networkRulesBelow(node, directionIn(type)));
  return rules.filter(({ action }) => !action?.includes('deny'));
}

function includes({ ports }: NetworkRule, port: number): boolean {
  return ports === null || (ports[0] <= port && port <= ports[1]);
}

function portsIn(words: string): number[] {
  const named = Object.entries(phrases().ports).flatMap(([name, ports]) => (says(words, [name]) ? ports : []));
  const numbered = [...words.matchAll(/ ports? (\d{1,5})(?= )/g)].map(([, port]) => Number(port));
  return [...new Set([...numbered, ...named])];
}
