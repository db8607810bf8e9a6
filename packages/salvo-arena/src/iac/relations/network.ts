import type { Cloud, Thing } from './cloud.ts';
import { listOf } from './statement.ts';

/** The route table of a subnet, and what makes it that: an association, or the default of the network. */
export function tableOf(cloud: Cloud, subnet: Thing): { table: Thing; by: Thing; isDefault: boolean } | null {
  const own = cloud
    .all('routeAssociation')
    .find((one) => cloud.targets(one, one.get('subnet_id'), 'subnet').includes(subnet));
  const network = subnet.text('vpc_id');
  const by = own ?? cloud.all('mainRouteTable').find((one) => one.text('vpc_id') === network);
  const [table] = by ? cloud.targets(by, by.get('route_table_id'), 'routeTable') : [];
  return by && table ? { table, by, isDefault: own === undefined } : null;
}

export function routesOf(cloud: Cloud, table: Thing): Thing[] {
  return cloud
    .all('route')
    .filter((one) => cloud.targets(one, one.get('route_table_id'), 'routeTable').includes(table));
}

/** The route of a table to the internet, for connections from there as well. */
export function internetRoute(cloud: Cloud, table: Thing): Thing | null {
  return (
    routesOf(cloud, table).find(
      (route) =>
        route.text('destination_cidr_block') === '0.0.0.0/0' &&
        cloud.targets(route, route.get('gateway_id'), 'internetGateway').length > 0,
    ) ?? null
  );
}

/** The rules that let traffic into a security group. */
export function rulesInto(cloud: Cloud, group: Thing): Thing[] {
  return cloud
    .all('ingressRule')
    .filter((rule) => cloud.targets(rule, rule.get('security_group_id'), 'securityGroup').includes(group));
}

export function portsOf(rule: Thing): [from: number, to: number] {
  const number = (name: string) => Number(listOf(rule.get(name))[0] ?? 0);
  return [number('from_port'), number('to_port')];
}

/** Administration and databases: nothing of this is for the internet. */
const INNER_PORTS = [22, 1433, 3306, 3389, 5432, 5439, 6379, 9200, 27_017];

export function isInnerPort(rule: Thing): boolean {
  const [from, to] = portsOf(rule);
  return INNER_PORTS.some((port) => from <= port && port <= to);
}

/** Whether every address of one range is in the other. */
export function isWithin(inner: string, outer: string): boolean {
  const [one, other] = [rangeOf(inner), rangeOf(outer)];
  return one !== null && other !== null && other[0] <= one[0] && one[1] <= other[1];
}

function rangeOf(cidr: string): [first: number, last: number] | null {
  const found = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(cidr);
  if (!found) return null;
  const [a = 0, b = 0, c = 0, d = 0, bits = 0] = found.slice(1).map(Number);
  const size = 2 ** (32 - bits);
  const first = Math.floor((a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d) / size) * size;
  return [first, first + size - 1];
}
