import type { CodeNode } from './code-node.ts';
import { isSame } from './equals-setting.ts';
import { type OpenPorts, openPorts } from './open-ports.ts';
import { plainPath, readPath } from './read-path.ts';
import type { Subject } from './subject.ts';
import { allOf, badAt, GOOD, type Verdict } from './verdict.ts';

/** What a rule that is open to anywhere exposes; each exposes one thing, the worst. */
type Exposure = 'all' | 'ssh' | 'rdp' | 'sensitive' | 'other' | 'web';

/** Services that have no business on the internet: file shares, databases, caches, queues, control planes. */
const SENSITIVE_PORTS = [
  ...[20, 21, 23, 25, 69, 110, 111, 135, 137, 138, 139, 143, 161, 389, 445, 512, 513, 514, 636, 873, 1433, 1434, 1521],
  ...[2049, 2181, 2375, 2376, 2379, 2380, 3000, 3306, 4333, 5000, 5432, 5433, 5439, 5500, 5601, 5671, 5672, 5900, 5985],
  ...[5986, 6379, 6380, 6443, 7000, 7001, 7199, 8020, 8086, 8125, 8182, 8500, 8888, 9042, 9090, 9092, 9094, 9160, 9200],
  ...[9300, 10250, 11211, 11214, 15672, 27017, 27018, 27019, 50070, 61613, 61616, 61617],
];

/** The web is there to be reached. */
const WEB_PORTS = new Set([80, 443]);

/** Above this many ports it is a range for return traffic, as network ACLs need it. */
const WIDE_RANGE = 1000;

export function judgeIngress(subject: Subject, path: string | undefined, of: string): Verdict {
  return judgeRules(subject, path, (open) => (exposureOf(open) === of ? `lets anyone reach ${portsOf(open)}` : null));
}

export function judgeEgress(subject: Subject, path: string | undefined): Verdict {
  return judgeRules(subject, path, (open) => (open.all ? 'lets all traffic out to anywhere' : null));
}

export function judgeNetworkAcl(subject: Subject, path: string | undefined, of: string): Verdict {
  return judgeRules(subject, path, (open, rule) => {
    const action = ['rule_action', 'action', 'RuleAction'].flatMap((name) => rule.children(name))[0];
    const egress = ['egress', 'Egress'].flatMap((name) => rule.children(name))[0];
    if (!action?.known || !isSame(action.json, 'allow') || (egress && !(egress.known && isSame(egress.json, false)))) {
      return null;
    }
    if (open.all) return of === 'all' ? 'lets all traffic in from anywhere' : null;
    const port = of === 'ssh' ? 22 : 3389;
    const isThere = of !== 'all' && open.from <= port && port <= open.to && open.to - open.from < WIDE_RANGE;
    return isThere ? `lets anyone reach ${portsOf(open)}` : null;
  });
}

type Judge = (open: OpenPorts, rule: CodeNode) => string | null;

function judgeRules({ node }: Subject, path: string | undefined, judge: Judge): Verdict {
  const rules =
    path === undefined
      ? [node]
      : readPath(node, path).flatMap((one) => (one.state === 'known' ? one.node.items() : []));
  return allOf(
    rules.map((rule): Verdict => {
      const open = openPorts(rule);
      const detail = open && judge(open, rule);
      if (!open || detail === null) return GOOD;
      const attribute = path === undefined ? open.attribute : `${plainPath(path)}.${open.attribute}`;
      return badAt(open.node, attribute, `${attribute} ${detail}`);
    }),
  );
}

function exposureOf({ all, from, to, protocol }: OpenPorts): Exposure {
  if (all) return 'all';
  if (from <= 22 && 22 <= to && protocol !== 'udp') return 'ssh';
  if (from <= 3389 && 3389 <= to) return 'rdp';
  if (SENSITIVE_PORTS.some((port) => from <= port && port <= to)) return 'sensitive';
  return from === to && WEB_PORTS.has(from) ? 'web' : 'other';
}

function portsOf({ from, to, protocol, all }: OpenPorts): string {
  if (all) return 'every port';
  return from === to ? `${protocol} port ${from}` : `${protocol} ports ${from} to ${to}`;
}
