import type { Json } from '../../evaluate/value.ts';
import type { Cloud, Thing } from '../cloud.ts';
import { isWithin } from '../network.ts';
import { type Facts, fact, type Relation } from '../relation.ts';
import { listOf } from '../statement.ts';

const family = 'rule_order';

/** A rule of a network ACL that denies what an earlier one allows: the first that fits decides. */
function aclRules(cloud: Cloud): Facts[] {
  const rules = cloud.all('networkAclRule');
  return rules.flatMap((deny) =>
    rules.flatMap((allow): Facts[] => {
      const isLate =
        deny.text('rule_action') === 'deny' &&
        allow.text('rule_action') === 'allow' &&
        Number(allow.text('rule_number')) < Number(deny.text('rule_number'));
      const isSame = ['network_acl_id', 'egress', 'protocol'].every((name) => allow.text(name) === deny.text(name));
      const from = deny.text('cidr_block');
      if (!isLate || !isSame || !isWithin(from, allow.text('cidr_block'))) return [];
      const acl = cloud.targets(deny, deny.get('network_acl_id'), 'networkAcl');
      return [
        [
          fact(deny, `denies ${from}, but comes after ${allow.address}`, 'rule_number'),
          fact(allow, `allows ${allow.text('cidr_block')}, which includes it, and comes first`, 'rule_number'),
          ...acl.flatMap((one) => [fact(one, 'takes the first rule that fits'), ...usersOf(cloud, one)]),
        ],
      ];
    }),
  );
}

/** The subnets that a network ACL is for. */
function usersOf(cloud: Cloud, acl: Thing) {
  return cloud
    .all('networkAclAssociation')
    .filter((one) => cloud.targets(one, one.get('network_acl_id'), 'networkAcl').includes(acl))
    .flatMap((one) => [
      fact(one, `is for ${acl.address}`),
      ...cloud.targets(one, one.get('subnet_id'), 'subnet').map((subnet) => fact(subnet, 'can be reached from there')),
    ]);
}

/** A rule of a listener that asks for a login, after one for all paths that does not. */
function listenerRules(cloud: Cloud): Facts[] {
  const rules = cloud.all('listenerRule');
  const asksForLogin = (rule: Thing) =>
    listOf(rule.get('action.type')).some((type) => String(type).startsWith('authenticate'));
  return rules.filter(asksForLogin).flatMap((login) =>
    rules.flatMap((other): Facts[] => {
      const isSame = other.text('listener_arn') === login.text('listener_arn') && !asksForLogin(other);
      const isFirst = Number(other.text('priority')) < Number(login.text('priority'));
      if (!isSame || !isFirst || !pathsOf(other).includes('/*')) return [];
      return [
        [
          fact(login, `asks for a login on ${pathsOf(login).join(', ')}, but comes after ${other.address}`, 'priority'),
          fact(other, 'forwards every path without a login, and comes first', 'priority'),
        ],
      ];
    }),
  );
}

function pathsOf(rule: Thing): string[] {
  const values = rule.get('condition.path_pattern.values') ?? rule.get('condition.path_pattern_config.values');
  return listOf(values).map(String);
}

interface DnsRule {
  group: Thing;
  /** The resource that the rule is written in. */
  written: Thing;
  action: string;
  priority: number;
  lists: Thing[];
}

function dnsRulesOf(cloud: Cloud): DnsRule[] {
  const own = cloud.all('dnsRule').flatMap((rule) =>
    cloud.targets(rule, rule.get('firewall_rule_group_id'), 'dnsRuleGroup').map((group) => ({
      group,
      written: rule,
      action: rule.text('action'),
      priority: Number(rule.text('priority')),
      lists: cloud.targets(rule, rule.get('firewall_domain_list_id'), 'domainList'),
    })),
  );
  const inGroups = cloud.all('dnsRuleGroup').flatMap((group) =>
    listOf(group.get('firewall_rules')).map((rule) => ({
      group,
      written: group,
      action: entryOf(rule, 'Action'),
      priority: Number(entryOf(rule, 'Priority')),
      lists: cloud.targets(group, entryOf(rule, 'FirewallDomainListId'), 'domainList'),
    })),
  );
  return [...own, ...inGroups];
}

function entryOf(json: Json, name: string): string {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? String(json[name] ?? '') : '';
}

/** A list of blocked domains, after a rule that allows every domain. */
function dnsRules(cloud: Cloud): Facts[] {
  const rules = dnsRulesOf(cloud);
  const isAnyDomain = (list: Thing) => listOf(list.get('domains')).some((domain) => /^\*\.?$/.test(String(domain)));
  return rules.flatMap((block) =>
    rules.flatMap((allow): Facts[] => {
      const all = allow.lists.find(isAnyDomain);
      const [blocked] = block.lists;
      const isLate = block.action === 'BLOCK' && allow.action === 'ALLOW' && allow.priority < block.priority;
      if (!isLate || !all || !blocked || allow.group !== block.group) return [];
      const attribute = block.written === block.group ? 'firewall_rules' : 'priority';
      return [
        [
          fact(block.written, `blocks ${blocked.address} after everything was allowed`, attribute),
          ...(allow.written === block.written ? [] : [fact(allow.written, 'allows, and comes first', attribute)]),
          fact(all, 'contains every domain', 'domains'),
          fact(blocked, 'is never looked at', 'domains'),
          ...(block.group === block.written ? [] : [fact(block.group, 'takes the first rule that fits')]),
          ...cloud
            .all('dnsRuleGroupAssociation')
            .filter((one) =>
              cloud.targets(one, one.get('firewall_rule_group_id'), 'dnsRuleGroup').includes(block.group),
            )
            .map((one) => fact(one, `puts ${block.group.address} in force`)),
        ],
      ];
    }),
  );
}

export const RULE_ORDERS: readonly Relation[] = [
  { weakness: 'nacl-deny-after-allow', family, find: aclRules },
  { weakness: 'elb-login-rule-after-catch-all', family, find: listenerRules },
  { weakness: 'dns-firewall-block-after-allow', family, find: dnsRules },
];
