import { dataFile, once } from 'salvo/kit/text';
import { z } from 'zod';
import { type CodeNode, firstChild, jsonNode, withChildren } from '../../iac/read/code-node.ts';

/**
 * The security group that a call of `terraform-aws-modules/security-group` creates. Its rules have names, such as
 * `ssh-tcp`, and their addresses are in inputs of their own.
 */
export function securityGroupNode(module: string, call: CodeNode): CodeNode {
  // `security-group//ssh` opens the port of SSH by itself.
  const [, own] = module.split('//');
  return withChildren(call, {
    names: () => ['description', 'ingress', 'egress'],
    children: (name) => {
      if (name === 'description') return [jsonNode(`\${${name}}`, call.spot, false)];
      if (name === 'ingress') return rulesOf(call, 'ingress', own === undefined ? [] : [`${own}-tcp`]);
      return name === 'egress' ? rulesOf(call, 'egress', []) : [];
    },
  });
}

/** The ports that have a name in the module. All others have their number in the name: `http-8080-tcp`. */
const portsSchema = z.record(z.string(), z.tuple([z.int(), z.int()]));
const namedPorts = once(() => portsSchema.parse(JSON.parse(dataFile(import.meta.url, './security-group-ports.json'))));

function rulesOf(call: CodeNode, direction: 'ingress' | 'egress', own: readonly string[]): CodeNode[] {
  const named = call.children(`${direction}_rules`).flatMap((list) => list.items());
  const names = [...own, ...named.flatMap(({ known, json }) => (known ? [String(json)] : []))];
  const ranges = [`${direction}_cidr_blocks`, `${direction}_ipv6_cidr_blocks`].flatMap((input) => call.children(input));
  const byName = ranges.flatMap((range) =>
    names.flatMap((name) => ruleNode(portsOf(name), textsOf(range).flatMap(splitRanges), range)),
  );
  const written = [`${direction}_with_cidr_blocks`, `${direction}_with_ipv6_cidr_blocks`].flatMap((input) =>
    call.children(input).flatMap((list) => list.items()),
  );
  return [...byName, ...written.flatMap((item) => writtenRule(item, ranges))];
}

/** `{ rule = "ssh-tcp", cidr_blocks = "10.0.0.0/8,10.1.0.0/16" }`, or with ports and a protocol of its own. */
function writtenRule(item: CodeNode, otherwise: readonly CodeNode[]): CodeNode[] {
  const name = firstChild(item, 'rule');
  const [from, to, protocol] = ['from_port', 'to_port', 'protocol'].map((field) => firstChild(item, field));
  const own = [...item.children('cidr_blocks'), ...item.children('ipv6_cidr_blocks')];
  const ranges = own.length > 0 ? own : otherwise;
  const known = [name, from, to, protocol].every((field) => field?.known !== false);
  if (!known) return [];
  const ports = name
    ? portsOf(String(name.json))
    : { from_port: from?.json ?? 0, to_port: to?.json ?? 0, protocol: protocol?.json ?? '-1' };
  return ranges.flatMap((one) => ruleNode(ports, textsOf(one).flatMap(splitRanges), own.length > 0 ? one : item));
}

type Ports = { from_port: CodeNode['json']; to_port: CodeNode['json']; protocol: CodeNode['json'] };

function portsOf(name: string): Ports | null {
  const [, number, protocol = 'tcp'] = /-(\d{1,5})-(tcp|udp)$/.exec(name) ?? [];
  const ports = number === undefined ? namedPorts()[name] : ([Number(number), Number(number)] as const);
  if (!ports) return null;
  const [from_port, to_port] = ports;
  return { from_port, to_port, protocol: name === 'all-all' ? '-1' : name.endsWith('-udp') ? 'udp' : protocol };
}

function ruleNode(ports: Ports | null, ranges: readonly string[], { spot }: CodeNode): CodeNode[] {
  if (!ports || ranges.length === 0) return [];
  // Modules of the registry describe each of their rules.
  const rule = { ...ports, cidr_blocks: [...ranges], description: `\${description}` };
  return [jsonNode(rule, spot, false)];
}

function textsOf(range: CodeNode): string[] {
  return range.items().flatMap(({ known, json }) => (known && typeof json === 'string' ? [json] : []));
}

function splitRanges(text: string): string[] {
  return text.split(',').map((range) => range.trim());
}
