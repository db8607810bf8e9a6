import type { Cloud, Thing } from '../cloud.ts';
import { internetRoute, isInnerPort, isWithin, routesOf, rulesInto, tableOf } from '../network.ts';
import { type Facts, fact, type Relation } from '../relation.ts';
import { listOf } from '../statement.ts';

const family = 'network_path';

/** Databases in a subnet whose route table leads to the internet. */
function publicDataSubnets(cloud: Cloud, byDefault: boolean): Facts[] {
  return cloud.all('subnetGroup').flatMap((group) =>
    cloud.targets(group, group.get('subnet_ids'), 'subnet').flatMap((subnet): Facts[] => {
      const found = tableOf(cloud, subnet);
      const route = found && internetRoute(cloud, found.table);
      if (!found || !route || found.isDefault !== byDefault) return [];
      const { table, by } = found;
      return [
        [
          byDefault
            ? fact(by, `makes ${table.address} the route table of every subnet without one`, 'route_table_id')
            : fact(by, `gives ${table.address} to ${subnet.address}`, 'route_table_id'),
          fact(subnet, byDefault ? 'has no route table of its own' : 'is a subnet of databases'),
          fact(table, 'has a route to the internet gateway'),
          fact(route, 'leads to the internet gateway', 'gateway_id'),
          ...gatewaysOf(cloud, route),
          fact(group, `puts databases into ${subnet.address}`, 'subnet_ids'),
        ],
      ];
    }),
  );
}

/** The gateway of a route, and what connects it with the network. */
function gatewaysOf(cloud: Cloud, route: Thing) {
  return cloud.targets(route, route.get('gateway_id'), 'internetGateway').flatMap((gateway) => {
    const links = cloud
      .all('gatewayAttachment')
      .filter((one) => cloud.targets(one, one.get('internet_gateway_id'), 'internetGateway').includes(gateway));
    return [
      fact(gateway, 'is the way to and from the internet'),
      ...links.map((one) => fact(one, `connects ${gateway.address} with the network`)),
    ];
  });
}

/** An interface that the network of another account can reach: a peering, a route, and a rule. */
function peeredInterfaces(cloud: Cloud): Facts[] {
  return cloud.all('networkInterface').flatMap((own) => {
    const [subnet] = cloud.targets(own, own.get('subnet_id'), 'subnet');
    const found = subnet && tableOf(cloud, subnet);
    if (!subnet || !found) return [];
    return routesOf(cloud, found.table).flatMap((route): Facts[] => {
      const [peering] = cloud.targets(route, route.get('vpc_peering_connection_id'), 'peering');
      const range = route.text('destination_cidr_block');
      const rules = groupsOf(cloud, own).flatMap((group) => rulesInto(cloud, group).map((rule) => ({ group, rule })));
      const open = rules.find(({ rule }) => isInnerPort(rule) && isWithin(range, rule.text('cidr_ipv4')));
      if (!peering || !open || !/^\d{12}$/.test(peering.text('peer_owner_id'))) return [];
      return [
        [
          fact(open.rule, `admits ${range}, the network behind the peering`, 'cidr_ipv4'),
          fact(route, `leads from ${subnet.address} to the peering`, 'vpc_peering_connection_id'),
          fact(peering, `is with the account ${peering.text('peer_owner_id')}`, 'peer_owner_id'),
          fact(found.by, `gives ${found.table.address} to ${subnet.address}`, 'route_table_id'),
          fact(found.table, 'has that route'),
          fact(subnet, `has ${own.address} in it`),
          fact(open.group, `is a group of ${own.address}`),
          fact(own, 'can be reached from that network'),
        ],
      ];
    });
  });
}

function groupsOf(cloud: Cloud, own: Thing): Thing[] {
  return cloud.targets(own, own.get('security_groups'), 'securityGroup');
}

/** A database group that admits the group of an interface with a public address that the internet may talk to. */
function admittedPublicTier(cloud: Cloud): Facts[] {
  return cloud.all('ingressRule').flatMap((rule) => {
    if (!isInnerPort(rule)) return [];
    const [inner] = cloud.targets(rule, rule.get('security_group_id'), 'securityGroup');
    return cloud.targets(rule, rule.get('referenced_security_group_id'), 'securityGroup').flatMap((outer): Facts[] => {
      const open = rulesInto(cloud, outer).find((one) => one.text('cidr_ipv4') === '0.0.0.0/0');
      const shown = publicInterfaces(cloud).find(({ own }) => groupsOf(cloud, own).includes(outer));
      if (!open || !shown || !inner) return [];
      return [
        [
          fact(rule, `admits ${outer.address} to ${inner.address}`, 'referenced_security_group_id'),
          fact(open, `admits the internet to ${outer.address}`, 'cidr_ipv4'),
          fact(shown.own, `has the group ${outer.address}`, 'security_groups'),
          fact(shown.by, `gives ${shown.own.address} a public address`, 'network_interface_id'),
          fact(outer, 'is the group of what faces the internet'),
          fact(inner, 'is the group of the database'),
        ],
      ];
    });
  });
}

function publicInterfaces(cloud: Cloud): { own: Thing; by: Thing }[] {
  return cloud
    .all('elasticIpAssociation')
    .flatMap((by) => cloud.targets(by, by.get('network_interface_id'), 'networkInterface').map((own) => ({ own, by })));
}

/** A rule that admits a list of ranges which contains the whole internet. */
function openLists(cloud: Cloud): Facts[] {
  return cloud.all('ingressRule').flatMap((rule) => {
    if (!isInnerPort(rule)) return [];
    const [group] = cloud.targets(rule, rule.get('security_group_id'), 'securityGroup');
    return cloud.targets(rule, rule.get('prefix_list_id'), 'prefixList').flatMap((list): Facts[] => {
      const isOpen = listOf(list.get('entry.cidr')).includes('0.0.0.0/0');
      if (!isOpen || !group) return [];
      return [
        [
          fact(rule, `admits ${list.address} to port ${rule.text('from_port')}`, 'prefix_list_id'),
          fact(list, 'contains the whole internet', 'entry'),
          fact(group, 'is open to the internet'),
          ...cloud
            .all('networkInterface')
            .filter((one) => groupsOf(cloud, one).includes(group))
            .map((one) => fact(one, `has the group ${group.address}`, 'security_groups')),
        ],
      ];
    });
  });
}

export const NETWORK_PATHS: readonly Relation[] = [
  { weakness: 'subnet-group-internet-route', family, find: (cloud) => publicDataSubnets(cloud, false) },
  { weakness: 'subnet-group-default-internet-route', family, find: (cloud) => publicDataSubnets(cloud, true) },
  { weakness: 'interface-reachable-from-peer', family, find: peeredInterfaces },
  { weakness: 'sg-database-admits-public-tier', family: 'open_tier', find: admittedPublicTier },
  { weakness: 'sg-ingress-open-prefix-list', family: 'open_tier', find: openLists },
];
