import { knownItems, plainPath } from '../../iac/read/attribute-path.ts';
import { type CodeNode, firstChild } from '../../iac/read/code-node.ts';
import { type AddressRange, type NetworkRule, networkRule } from '../../iac/read/network-rules.ts';
import { isOpenRange } from '../../iac/read/public-cidr.ts';
import type { CustomCheck, Subject } from './subject.ts';
import { allOf, badAt, GOOD, type Verdict } from './verdict.ts';

/** Services that should not be on the internet: file shares, databases, caches, queues, control planes. */
const SENSITIVE_PORTS = [
  ...[20, 21, 23, 25, 69, 110, 111, 115, 135, 137, 138, 139, 143, 161],
  ...[389, 445, 512, 513, 514, 636, 873, 1433, 1434, 1521],
  ...[2049, 2181, 2375, 2376, 2379, 2380, 2382, 2383, 2483, 2484, 3000, 3020, 3306, 4333, 4505, 4506, 5000, 5432, 5433],
  ...[5439, 5500, 5601, 5671, 5672, 5900, 5985, 5986, 6379, 6380, 6443, 7000, 7001, 7199, 8020, 8086, 8125, 8140, 8182],
  ...[8500, 8888, 9000, 9042, 9090, 9092, 9094, 9160, 9200, 9300, 10250, 11211, 11214, 11215, 15672, 27017, 27018],
  ...[27019, 50070, 61613, 61616, 61617, 61620, 61621],
];

/** Ports that are meant to be public. */
const WEB_PORTS = new Set([80, 443]);

/** A larger range is for return traffic, which network ACLs must allow. */
const WIDE_RANGE = 1000;

export const NETWORK_CHECKS: Readonly<Record<string, CustomCheck>> = {
  ingress: (subject, path, of) => {
    if (of === 'private') return judgeRules(subject, path, reachableFrom('any private network'), widePrivateRange);
    if (of === 'small')
      return judgeRules(subject, path, reachableFrom('a range of public addresses'), smallPublicRange);
    return judgeRules(subject, path, (open) => (exposes(open, of) ? `lets anyone reach ${portWords(open)}` : null));
  },
  egress: (subject, path, of) =>
    judgeRules(subject, path, (open) => {
      if (open.isAll !== (of === '')) return null;
      return `lets ${open.isAll ? 'all traffic' : portWords(open)} out to anywhere`;
    }),
  'network-acl': (subject, path, of) => {
    if (of === 'all') return judgeAllPorts(subject, path, of);
    if (of === 'out') {
      return judgeRules(subject, path, (open, { action, direction }) => {
        const isOut = direction === 'out' || path === 'egress';
        return open.isAll && isOut && action === 'allow' ? 'lets all traffic out to anywhere' : null;
      });
    }
    return judgeRules(subject, path, (open, { action, direction }) => {
      if (action !== 'allow' || direction !== 'in') return null;
      if (open.isAll) return 'lets all traffic in from anywhere';
      const port = of === 'ssh' ? 22 : 3389;
      const isThere = open.from <= port && port <= open.to && open.to - open.from < WIDE_RANGE;
      return isThere ? `lets anyone reach ${portWords(open)}` : null;
    });
  },
  /** A rule of a firewall is for one protocol. What is or may be for the whole internet is left to other rules. */
  'all-protocols': everyRule((rule) => {
    const protocol = firstChild(rule, 'IpProtocol');
    const isAll = protocol?.known === true && /^(?:-1|all)$/i.test(String(protocol.json));
    // A rule for a security group has no range of addresses.
    const range = networkRule(rule);
    return isAll && (!range || range.isPublic === false)
      ? badAt(protocol, 'IpProtocol', 'IpProtocol is for all')
      : GOOD;
  }),
  /** A rule of a firewall is for one port. Those of ICMP are types and codes. */
  'port-range': everyRule((rule) => {
    const [from, to] = [firstChild(rule, 'FromPort'), firstChild(rule, 'ToPort')];
    const protocol = firstChild(rule, 'IpProtocol', 'Protocol');
    if (!from?.known || !to?.known || /^(?:icmp|icmpv6|1|58)$/i.test(String(protocol?.json))) return GOOD;
    const [first, last] = [Number(from.json), Number(to.json)];
    return first < last ? badAt(from, 'FromPort', `the ports ${first} to ${last} are open`) : GOOD;
  }),
  /** A route of all traffic to a peered network. */
  'peering-route': everyRule((route) => {
    if (!firstChild(route, 'vpc_peering_connection_id', 'VpcPeeringConnectionId')) return GOOD;
    const attribute = DESTINATIONS.find((name) => route.children(name).some(isEverywhere));
    const [destination] = route.children(attribute ?? '');
    return attribute && destination ? badAt(destination, attribute, `${attribute} is everywhere`) : GOOD;
  }),
};

/** Of every entry of the list at a path; without a path, of the block itself. */
function everyRule(judge: (rule: CodeNode) => Verdict): CustomCheck {
  return ({ node }, path) => allOf((path === undefined ? [node] : knownItems(node, path)).map(judge));
}

/** A network ACL is there to limit ports, also those of known networks. */
const judgeAllPorts = everyRule((it) => {
  const rule = networkRule(it, 'in');
  if (rule?.action !== 'allow' || rule.direction !== 'in' || !rule.protocol) return GOOD;
  const half = halfOfRange(it);
  if (half && TCP_AND_UDP.has(rule.protocol)) return badAt(half, 'PortRange', 'the range of ports has no end');
  if (!rule.ports) return GOOD;
  const [from, to] = rule.ports;
  if (rule.protocol !== 'all' && !(TCP_AND_UDP.has(rule.protocol) && from <= 1 && to >= 65_535)) return GOOD;
  const { node: where = firstChild(it, 'protocol', 'Protocol') ?? it, attribute = 'protocol' } = rule.publicRange ?? {};
  return badAt(where, attribute, 'all ports are open');
});

/** The range of a template's entry that says only where it begins, or only where it ends. */
function halfOfRange(entry: CodeNode): CodeNode | null {
  const range = firstChild(entry, 'PortRange');
  if (!range?.known) return null;
  return (firstChild(range, 'From') === undefined) !== (firstChild(range, 'To') === undefined) ? range : null;
}

const DESTINATIONS = [
  ...['destination_cidr_block', 'destination_ipv6_cidr_block', 'cidr_block', 'ipv6_cidr_block'],
  ...['DestinationCidrBlock', 'DestinationIpv6CidrBlock'],
];

function isEverywhere({ known, json }: CodeNode): boolean {
  return known && typeof json === 'string' && isOpenRange(json);
}

/** Traffic from or to anywhere that a rule lets through. */
interface OpenPorts {
  isAll: boolean;
  from: number;
  to: number;
  protocol: string;
}

const TCP_AND_UDP = new Set(['tcp', 'udp', '6', '17']);

/** Null when the ports are unknown, or the protocol has none. */
function openPorts({ protocol, ports }: NetworkRule): OpenPorts | null {
  if (protocol === null || ports === null) return null;
  const [from, to] = ports;
  if (protocol === 'all') return { isAll: true, from, to, protocol };
  return TCP_AND_UDP.has(protocol) ? { isAll: from <= 1 && to >= 65_535, from, to, protocol } : null;
}

type Judge = (open: OpenPorts, rule: NetworkRule) => string | null;

function judgeRules(
  subject: Subject,
  path: string | undefined,
  judge: Judge,
  rangeOf = ({ publicRange }: NetworkRule): AddressRange | null => publicRange,
): Verdict {
  const judgeRule = everyRule((it) => {
    const rule = networkRule(it);
    const range = rule && rangeOf(rule);
    const open = rule && openPorts(rule);
    const detail = open && judge(open, rule);
    if (!range || detail === null) return GOOD;
    const attribute = path === undefined ? range.attribute : `${plainPath(path)}.${range.attribute}`;
    return badAt(range.node, attribute, `${attribute} ${detail}`);
  });
  return judgeRule(subject, path, '');
}

/** All addresses of private networks of one kind: also those of other companies, after a peering. */
const WIDE_PRIVATE = new Set(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fc00::/8', 'fd00::/8']);

function widePrivateRange({ ranges }: NetworkRule): AddressRange | null {
  const isWide = ({ json }: CodeNode) => typeof json === 'string' && WIDE_PRIVATE.has(json);
  return ranges.find(({ node }) => node.items().some(isWide)) ?? null;
}

/** From half of a /24 to eight addresses: a network of somebody else, but not the internet. */
const SMALL_RANGE = /^(?!10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)\d{1,3}(?:\.\d{1,3}){3}\/2[5-9]$/;

function smallPublicRange({ ranges }: NetworkRule): AddressRange | null {
  const isSmall = ({ json }: CodeNode) => typeof json === 'string' && SMALL_RANGE.test(json);
  return ranges.find(({ node }) => node.items().some(isSmall)) ?? null;
}

function reachableFrom(whom: string): Judge {
  return (open) =>
    ['ssh', 'rdp', 'sensitive'].some((of) => exposes(open, of)) ? `lets ${whom} reach ${portWords(open)}` : null;
}

/** `sensitive` and `other` are for what no rule of its own reports; `any` is for all ports. */
function exposes(open: OpenPorts, of: string): boolean {
  const { from, to, protocol, isAll } = open;
  if (of === 'any') return true;
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
