import type { Arrangement } from '../arrangement.ts';
import { type Code, type Named, OwnAccount } from '../code.ts';
import { block, blocks, ref } from '../draft.ts';
import { subnet } from './network-path.ts';

export const RULE_ORDERS: readonly Arrangement[] = [
  {
    weakness: 'nacl-deny-after-allow',
    calledBy: ['AWS VPC: network ACL rules are evaluated in order', 'AWS Well-Architected SEC05-BP02'],
    says: 'A rule of a network ACL denies what an earlier rule has allowed.',
    write: (draft) => {
      const { network } = draft.drawn;
      const acl = draft.add('networkAcl', draft.word(), { vpc_id: draft.lookup('vpc') });
      draft.add('networkAclAssociation', draft.word(), {
        network_acl_id: ref(acl, 'id'),
        subnet_id: ref(subnet(draft, 1), 'id'),
      });
      const [early, late] = draft.order(100, 200);
      const rule = (number: number, action: string, cidr: string, egress = false) =>
        draft.add('networkAclRule', draft.word(), {
          network_acl_id: ref(acl, 'id'),
          rule_number: number,
          egress,
          protocol: 6,
          rule_action: action,
          cidr_block: cidr,
          ...(draft.isTerraform ? { from_port: 1024, to_port: 65_535 } : { port_range: { from: 1024, to: 65_535 } }),
        });
      rule(early, 'allow', `10.${network}.0.0/16`);
      rule(late, 'deny', `10.${network}.64.0/20`);
      rule(late, 'deny', `10.${network}.80.0/20`, true);
      rule(300, 'allow', `10.${network}.0.0/16`, true);
    },
  },
  {
    weakness: 'elb-login-rule-after-catch-all',
    calledBy: ['AWS ELB: listener rules are evaluated in order of priority', 'CWE-306'],
    says: 'A rule of a listener asks for a login, after another one has forwarded every path.',
    write: (draft) => {
      const { app, code } = draft.drawn;
      const listener_arn = draft.lookup('listener');
      const target = draft.lookup('targetGroup');
      const [first, second] = draft.order(10, 20);
      const forward = { type: 'forward', target_group_arn: target };
      const login = {
        user_pool_arn: new OwnAccount(`arn:aws:cognito-idp:eu-central-1:{account}:userpool/eu-central-1_${code}`),
        user_pool_client_id: `${app}${code}`,
        user_pool_domain: `${app}-login`,
      };
      const paths = (...values: string[]) =>
        draft.isTerraform
          ? block({ path_pattern: block({ values }) })
          : blocks({ field: 'path-pattern', path_pattern_config: { values } });
      const rule = (priority: number, condition: Code, action: Code) =>
        draft.add('listenerRule', draft.word(), { listener_arn, priority, action, condition });
      rule(first, paths('/*'), blocks(forward));
      rule(
        second,
        paths('/admin/*', '/reports/*'),
        draft.isTerraform
          ? blocks({ type: 'authenticate-cognito', authenticate_cognito: block(login) }, forward)
          : blocks(
              { type: 'authenticate-cognito', order: 1, authenticate_cognito_config: login },
              { ...forward, order: 2 },
            ),
      );
    },
  },
  {
    weakness: 'dns-firewall-block-after-allow',
    calledBy: ['AWS Route 53 Resolver: DNS Firewall rules are evaluated in order', 'AWS Well-Architected SEC05-BP03'],
    says: 'A list of blocked domains comes after a rule that allows every domain.',
    write: (draft) => {
      const { app } = draft.drawn;
      const list = (...domains: string[]) => {
        const word = draft.word();
        return draft.add('domainList', word, { name: word, domains });
      };
      const any = list('*');
      const blocked = list(`*.${app}-mirror.example`, `*.${app}-exchange.example`);
      const [early, late] = draft.order(100, 200);
      const word = draft.word();
      const rules = [
        { list: any, priority: early, action: { action: 'ALLOW' } },
        { list: blocked, priority: late, action: { action: 'BLOCK', block_response: 'NODATA' } },
      ];
      const associate = (group: Named) => {
        const name = draft.word();
        draft.add('dnsRuleGroupAssociation', name, {
          name,
          firewall_rule_group_id: ref(group, 'id'),
          priority: 101,
          vpc_id: draft.lookup('vpc'),
        });
      };
      if (!draft.isTerraform) {
        const own = draft.add('dnsRuleGroup', word, {
          name: word,
          firewall_rules: rules.map((one) => ({
            firewall_domain_list_id: ref(one.list, 'id'),
            priority: one.priority,
            ...one.action,
          })),
        });
        associate(own);
        return;
      }
      const group = draft.add('dnsRuleGroup', word, { name: word });
      associate(group);
      for (const one of rules) {
        const name = draft.word();
        draft.add('dnsRule', name, {
          name,
          firewall_rule_group_id: ref(group, 'id'),
          firewall_domain_list_id: ref(one.list, 'id'),
          priority: one.priority,
          ...one.action,
        });
      }
    },
  },
];
