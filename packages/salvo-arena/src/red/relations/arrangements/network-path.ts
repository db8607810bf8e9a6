import type { Arrangement } from '../arrangement.ts';
import type { Code, Named } from '../code.ts';
import { blocks, type Draft, ref } from '../draft.ts';

const WELL_ARCHITECTED = 'AWS Well-Architected SEC05-BP01';

export const NETWORK_PATHS: readonly Arrangement[] = [
  {
    weakness: 'subnet-group-internet-route',
    calledBy: ['SecurityHub RDS.46', WELL_ARCHITECTED],
    says: 'A subnet for databases has the route table that leads to the internet.',
    write: (draft) => {
      const [open, inner] = routeTables(draft);
      const [first, second, third] = [subnet(draft, 1), subnet(draft, 2), subnet(draft, 3)];
      const [data, edge] = draft.order(open, inner);
      associate(draft, first, data);
      associate(draft, second, inner);
      associate(draft, third, edge);
      subnetGroup(draft, first, second);
    },
  },
  {
    weakness: 'subnet-group-default-internet-route',
    language: 'terraform',
    calledBy: ['SecurityHub RDS.46', 'AWS VPC: main route tables', WELL_ARCHITECTED],
    says: 'A subnet for databases has no route table of its own, and the main one leads to the internet.',
    write: (draft) => {
      const [open, inner] = routeTables(draft);
      const [first, second, third] = [subnet(draft, 1), subnet(draft, 2), subnet(draft, 3)];
      const [main, edge] = draft.order(open, inner);
      draft.add('mainRouteTable', draft.word(), { vpc_id: draft.lookup('vpc'), route_table_id: ref(main, 'id') });
      associate(draft, second, inner);
      associate(draft, third, edge);
      subnetGroup(draft, first, second);
    },
  },
  {
    weakness: 'interface-reachable-from-peer',
    calledBy: ['AWS VPC peering: security groups and routes', WELL_ARCHITECTED, 'MITRE ATT&CK T1021'],
    says: 'The network of another account reaches a database: by a peering, a route and a rule.',
    write: (draft) => {
      const { network, account, code } = draft.drawn;
      const [own, theirs] = [`10.${network + 50}.8.0/24`, `10.${network + 100}.0.0/16`];
      const vpc_id = draft.lookup('vpc');
      const peering = draft.add('peering', draft.word(), {
        vpc_id,
        peer_vpc_id: `vpc-0${code}${code.slice(0, 6)}`,
        peer_owner_id: account,
      });
      const tables = [draft.word(), draft.word()].map((word) => draft.add('routeTable', word, { vpc_id }));
      const [first, second] = tables;
      if (!first || !second) return;
      const [peered, other] = draft.order(first, second);
      draft.add('route', draft.word(), {
        route_table_id: ref(peered, 'id'),
        destination_cidr_block: theirs,
        vpc_peering_connection_id: ref(peering, 'id'),
      });
      draft.add('route', draft.word(), {
        route_table_id: ref(other, 'id'),
        destination_cidr_block: own,
        transit_gateway_id: draft.lookup('transitGateway'),
      });
      const [data, edge] = [subnet(draft, 1), subnet(draft, 2)];
      associate(draft, data, first);
      associate(draft, edge, second);
      const [inner, outer] = draft.order(theirs, own);
      const database = group(draft, 'Database');
      const service = group(draft, 'Service');
      ingress(draft, database, 5432, { cidr_ipv4: inner });
      ingress(draft, service, 8443, { cidr_ipv4: outer });
      networkInterface(draft, data, database);
      networkInterface(draft, edge, service);
    },
  },
  {
    weakness: 'sg-database-admits-public-tier',
    calledBy: [WELL_ARCHITECTED, 'AWS VPC: security group rules that reference groups', 'MITRE ATT&CK T1190'],
    says: 'A database admits the group of a machine that faces the internet.',
    write: (draft) => {
      const vpc = subnet(draft, 1);
      const [edge, worker, database] = [group(draft, 'Edge'), group(draft, 'Worker'), group(draft, 'Database')];
      const [admitted, watched] = draft.order(edge, worker);
      ingress(draft, edge, 443, { cidr_ipv4: '0.0.0.0/0' });
      ingress(draft, database, 5432, { referenced_security_group_id: ref(admitted, 'id') });
      ingress(draft, worker, 8443, { referenced_security_group_id: ref(edge, 'id') });
      ingress(draft, database, 9187, { referenced_security_group_id: ref(watched, 'id') });
      const shown = networkInterface(draft, vpc, edge);
      networkInterface(draft, vpc, worker);
      networkInterface(draft, vpc, database);
      draft.add('elasticIpAssociation', draft.word(), {
        allocation_id: draft.lookup('address'),
        network_interface_id: ref(shown, 'id'),
      });
    },
  },
  {
    weakness: 'sg-ingress-open-prefix-list',
    calledBy: ['CIS 5.2', 'SecurityHub EC2.19', 'AWS VPC: prefix lists'],
    says: 'A rule admits a list of address ranges to an inner port, and the list contains the whole internet.',
    write: (draft) => {
      const { network } = draft.drawn;
      const lists = [['0.0.0.0/0'], [`10.${network}.0.0/16`, `10.${network + 1}.0.0/16`]].map((cidrs) => {
        const word = draft.word();
        return draft.add('prefixList', word, {
          [draft.isTerraform ? 'name' : 'prefix_list_name']: word,
          address_family: 'IPv4',
          max_entries: 4,
          entry: blocks(...cidrs.map((cidr) => ({ cidr, description: word }))),
        });
      });
      const [any, office] = lists;
      if (!any || !office) return;
      const [inward, outward] = draft.order(any, office);
      const own = group(draft, 'Workstation');
      networkInterface(draft, subnet(draft, 1), own);
      ingress(draft, own, draft.drawn.network % 2 === 0 ? 22 : 5432, { prefix_list_id: ref(inward, 'id') });
      rule(draft, 'egressRule', own, 443, { prefix_list_id: ref(outward, 'id') });
    },
  },
];

/** One table with a route to the internet, and one whose traffic leaves through a central gateway. */
function routeTables(draft: Draft): [open: Named, inner: Named] {
  const vpc_id = draft.lookup('vpc');
  const gateway = draft.add(
    'internetGateway',
    draft.word(),
    draft.isTerraform ? {} : { tags: [{ key: 'Name', value: draft.drawn.app }] },
  );
  draft.add('gatewayAttachment', draft.word(), { vpc_id, internet_gateway_id: ref(gateway, 'id') });
  const open = draft.add('routeTable', draft.word(), { vpc_id });
  const inner = draft.add('routeTable', draft.word(), { vpc_id });
  const route = (table: Named, target: Readonly<Record<string, Code>>) =>
    draft.add('route', draft.word(), {
      route_table_id: ref(table, 'id'),
      destination_cidr_block: '0.0.0.0/0',
      ...target,
    });
  route(open, { gateway_id: ref(gateway, 'id') });
  route(inner, { transit_gateway_id: draft.lookup('transitGateway') });
  return [open, inner];
}

export function subnet(draft: Draft, number: number): Named {
  return draft.add('subnet', draft.word(), {
    vpc_id: draft.lookup('vpc'),
    cidr_block: `10.${draft.drawn.network}.${number}.0/24`,
    availability_zone: `eu-central-1${number % 2 === 0 ? 'b' : 'a'}`,
    map_public_ip_on_launch: false,
  });
}

function associate(draft: Draft, of: Named, table: Named): void {
  draft.add('routeAssociation', draft.word(), { subnet_id: ref(of, 'id'), route_table_id: ref(table, 'id') });
}

function subnetGroup(draft: Draft, ...subnets: Named[]): void {
  const word = draft.word();
  draft.add('subnetGroup', word, {
    name: word,
    description: `Databases of ${draft.drawn.app}`,
    subnet_ids: subnets.map((one) => ref(one, 'id')),
  });
}

function group(draft: Draft, description: string): Named {
  const word = draft.word();
  return draft.add('securityGroup', word, {
    name: word,
    description: `${description} of ${draft.drawn.app}`,
    vpc_id: draft.lookup('vpc'),
  });
}

function rule(
  draft: Draft,
  kind: 'ingressRule' | 'egressRule',
  of: Named,
  port: number,
  from: Readonly<Record<string, Code>>,
): void {
  draft.add(kind, draft.word(), {
    security_group_id: ref(of, 'id'),
    description: `Port ${port} of ${draft.drawn.app}`,
    ip_protocol: 'tcp',
    from_port: port,
    to_port: port,
    ...from,
  });
}

function ingress(draft: Draft, of: Named, port: number, from: Readonly<Record<string, Code>>): void {
  rule(draft, 'ingressRule', of, port, from);
}

function networkInterface(draft: Draft, at: Named, of: Named): Named {
  return draft.add('networkInterface', draft.word(), {
    subnet_id: ref(at, 'id'),
    security_groups: [ref(of, 'id')],
    description: `Interface of ${draft.drawn.app}`,
  });
}
