import { plainPath, readPath } from '../../../iac/read/attribute-path.ts';
import { type CodeNode, firstChild } from '../../../iac/read/code-node.ts';
import { type NetworkRule, networkRule } from '../../../iac/read/network-rules.ts';
import { isPublicCidr } from '../../../iac/read/public-cidr.ts';
import type { Subject } from './subject.ts';
import { allOf, badAt, GOOD, type Verdict } from './verdict.ts';

/** Services that should not be on the internet: file shares, databases, caches, queues, control planes. */
const SENSITIVE_PORTS = [
  ...[20, 21, 23, 25, 69, 110, 111, 135, 137, 138, 139, 143, 161, 389, 445, 512, 513, 514, 636, 873, 1433, 1434, 1521],
  ...[2049, 2181, 2375, 2376, 2379, 2380, 3000, 3306, 4333, 5000, 5432, 5433, 5439, 5500, 5601, 5671, 5672, 5900, 5985],
  ...[5986, 6379, 6380, 6443, 7000, 7001, 7199, 8020, 8086, 8125, 8182, 8500, 8888, 9042, 9090, 9092, 9094, 9160, 9200],
  ...[9300, 10250, 11211, 11214, 15672, 27017, 27018, 27019, 50070, 61613, 61616, 61617],
];

/** Ports that are meant to be public. */
const WEB_PORTS = new Set([80, 443]);

/** A larger range is for return traffic, which network ACLs must allow. */
const WIDE_RANGE = 1000;

export function judgeIngress(subject: Subject, path: string | undefined, of: string): Verdict {
  return judgeRules(subject, path, (open) => (exposes(open, of) ? `lets anyone reach ${portWords(open)}` : null));
}

export function judgeEgress(subject: Subject, path: string | undefined): Verdict {
  return judgeRules(subject, path, (open) => (open.isAll ? 'lets all traffic out to anywhere' : null));
}

export function judgeNetworkAcl(subject: Subject, path: string | undefined, of: string): Verdict {
  if (of === 'all') return judgeAllPorts(subject, path);
  return judgeRules(subject, path, (open, { action, direction }) => {
    if (action !== 'allow' || direction !== 'in') return null;
    if (open.isAll) return 'lets all traffic in from anywhere';
    const port = of === 'ssh' ? 22 : 3389;
    const isThere = open.from <= port && port <= open.to && open.to - open.from < WIDE_RANGE;
    return isThere ? `lets anyone reach ${portWords(open)}` : null;
  });
}

/** A network ACL is there to limit ports, also those of known networks. */
function judgeAllPorts({ node }: Subject, path: string | undefined): Verdict {
  const rules = path === undefined ? [node] : readPath(node, path).flatMap(knownItems);
  return allOf(
    rules.map((it): Verdict => {
      const rule = networkRule(it, 'in');
      if (rule?.action !== 'allow' || rule.direction !== 'in' || !rule.protocol || !rule.ports) return GOOD;
      const [from, to] = rule.ports;
      if (rule.protocol !== 'all' && !(TCP_AND_UDP.has(rule.protocol) && from <= 1 && to >= 65_535)) return GOOD;
      const { node: where = firstChild(it, 'protocol', 'Protocol') ?? it, attribute = 'protocol' } =
        rule.publicRange ?? {};
      return badAt(where, attribute, 'all ports are open');
    }),
  );
}

/** A route of all traffic to a peered network. */
export function judgePeeringRoute({ node }: Subject, path: string | undefined): Verdict {
  const routes = path === undefined ? [node] : readPath(node, path).flatMap(knownItems);
  return allOf(
    routes.map((route): Verdict => {
      if (!firstChild(route, 'vpc_peering_connection_id', 'VpcPeeringConnectionId')) return GOOD;
      const attribute = DESTINATIONS.find((name) => route.children(name).some(isEverywhere));
      const [destination] = route.children(attribute ?? '');
      return attribute && destination ? badAt(destination, attribute, `${attribute} is everywhere`) : GOOD;
    }),
  );
}

const DESTINATIONS = [
  ...['destination_cidr_block', 'destination_ipv6_cidr_block', 'cidr_block', 'ipv6_cidr_block'],
  ...['DestinationCidrBlock', 'DestinationIpv6CidrBlock'],
];

function isEverywhere({ known, json }: CodeNode): boolean {
  return known && typeof json === 'string' && isPublicCidr(json);
}

/** Traffic from or to anywhere that a rule lets through. */
interface OpenPorts {
  isAll: boolean;
  from: number;
  to: number;
  protocol: string;
}

const TCP_AND_UDP = new Set(['tcp', 'udp', '6', '17']);

/** Null when the traffic is limited to some addresses, or when the ports are unknown. */
function openPorts({ isPublic, protocol, ports }: NetworkRule): OpenPorts | null {
  if (!isPublic || protocol === null || ports === null) return null;
  const [from, to] = ports;
  if (protocol === 'all') return { isAll: true, from, to, protocol };
  return TCP_AND_UDP.has(protocol) ? { isAll: from <= 1 && to >= 65_535, from, to, protocol } : null;
}

type Judge = (open: OpenPorts, rule: NetworkRule) => string | null;

function judgeRules({ node }: Subject, path: string | undefined, judge: Judge): Verdict {
  const rules = path === undefined ? [node] : readPath(node, path).flatMap(knownItems);
  return allOf(
    rules.map((it): Verdict => {
      const rule = networkRule(it);
      const open = rule && openPorts(rule);
      const detail = open && judge(open, rule);
      if (!rule?.publicRange || detail === null) return GOOD;
      const name = rule.publicRange.attribute;
      const attribute = path === undefined ? name : `${plainPath(path)}.${name}`;
      return badAt(rule.publicRange.node, attribute, `${attribute} ${detail}`);
    }),
  );
}

function knownItems({ state, node }: ReturnType<typeof readPath>[number]): CodeNode[] {
  return state === 'known' ? node.items() : [];
}

/** `sensitive` and `other` are for what no rule of its own reports. */
function exposes(open: OpenPorts, of: string): boolean {
  const { from, to, protocol, isAll } = open;
  if (of === 'all') return isAll;
  const has = (port: number) => isAll || (from <= port && port <= to);
  const isTcp = protocol !== 'udp' && protocol !== '17';
  if (of === 'ssh') return has(22) && isTcp;
  if (of === 'rdp') return has(3389);
  if (of === 'http') return has(80) && isTcp;
  if (has(3389) || (has(22) && isTcp)) return false;
  if (of === 'sensitive') return SENSITIVE_PORTS.some(has);
  return !SENSITIVE_PORTS.some(has) && !(from === to && WEB_PORTS.has(from));
}

function portWords({ from, to, protocol, isAll }: OpenPorts): string {
  if (isAll) return 'every port';
  return from === to ? `${protocol} port ${from}` : `${protocol} ports ${from} to ${to}`;
}
