import type { Arrangement } from '../arrangement.ts';
import { allow, block, type Draft, ref, trustOfRole } from '../draft.ts';

export const ROLE_CHAINS: readonly Arrangement[] = [
  {
    weakness: 'iam-role-chain-other-account',
    needs: 'asset',
    calledBy: ['AWS IAM: role chaining', 'AWS Well-Architected SEC03-BP07', 'MITRE ATT&CK T1550.001'],
    says: 'A role that another account may assume can assume a second role, which is not meant for that account.',
    write: (draft) => {
      const outer = draft.named('role', draft.word());
      const inner = draft.named('role', draft.word());
      writeChains(draft, [draft.trustOfAccount(), outer], [draft.trustOfWorker(), inner]);
    },
  },
  {
    weakness: 'iam-role-chain-pull-request',
    needs: 'asset',
    calledBy: [
      'GitHub: security hardening with OpenID Connect',
      'AWS Well-Architected SEC03-BP07',
      'MITRE ATT&CK T1195',
    ],
    says: 'A role that every pull request gets can assume the role that deployments use.',
    write: (draft) => {
      const { app } = draft.drawn;
      const provider = draft.add('oidcProvider', app, {
        url: 'https://token.actions.githubusercontent.com',
        client_id_list: ['sts.amazonaws.com'],
      });
      const trust = (subject: string) => ({
        Effect: 'Allow' as const,
        Principal: { Federated: ref(provider, 'arn') },
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: {
          StringEquals: {
            'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
            'token.actions.githubusercontent.com:sub': `repo:${app}-team/${app}:${subject}`,
          },
        },
      });
      const outer = draft.named('role', draft.word());
      const inner = draft.named('role', draft.word());
      writeChains(draft, [trust('pull_request'), outer], [trust('ref:refs/heads/main'), inner]);
    },
  },
  {
    weakness: 'eks-cluster-admin-other-account',
    calledBy: ['AWS EKS: access entries', 'EKS Best Practices Guide: least privilege for cluster access'],
    says: 'A role that another account may assume is an administrator of the cluster.',
    write: (draft) => {
      const { app } = draft.drawn;
      const partner = draft.role(draft.word(), draft.trustOfAccount());
      const own = draft.role(draft.word(), draft.trustOfWorker());
      const [admin, viewer] = draft.order(partner, own);
      for (const [role, policy] of [
        [admin, 'AmazonEKSClusterAdminPolicy'],
        [viewer, 'AmazonEKSViewPolicy'],
      ] as const) {
        const word = draft.word();
        const scope = { type: 'cluster' };
        const arn = `arn:aws:eks::aws:cluster-access-policy/${policy}`;
        const entry = { cluster_name: app, principal_arn: ref(role, 'arn'), type: 'STANDARD' };
        if (draft.isTerraform) {
          draft.add('accessEntry', word, entry);
          draft.add('accessPolicy', word, {
            cluster_name: app,
            principal_arn: ref(role, 'arn'),
            policy_arn: arn,
            access_scope: block(scope),
          });
        } else {
          draft.add('accessEntry', word, { ...entry, access_policies: [{ policy_arn: arn, access_scope: scope }] });
        }
      }
    },
  },
  {
    weakness: 'kms-grant-other-account',
    language: 'terraform',
    calledBy: ['AWS KMS: grants', 'AWS Well-Architected SEC08-BP01', 'MITRE ATT&CK T1098'],
    says: 'A grant lets a role decrypt that another account may assume, and no policy shows it.',
    write: (draft) => {
      const keys = [draft.key(draft.word(), 'Records'), draft.key(draft.word(), 'Exchange')] as const;
      const partner = draft.role(draft.word(), draft.trustOfAccount());
      const own = draft.role(draft.word(), draft.trustOfWorker());
      const [reader, writer] = draft.order(partner, own);
      const grant = (key: (typeof keys)[number], role: typeof reader, operations: string[]) => {
        const word = draft.word();
        draft.add('keyGrant', word, {
          name: word,
          key_id: ref(key, 'key_id'),
          grantee_principal: ref(role, 'arn'),
          operations,
        });
      };
      grant(keys[0], reader, ['Decrypt', 'DescribeKey']);
      grant(keys[1], writer, ['Encrypt', 'DescribeKey']);
    },
  },
];

type Start = readonly [trust: ReturnType<Draft['trustOfAccount']>, role: ReturnType<Draft['named']>];

/** Two roles to begin with, and two that they assume: one of these may use the asset. */
function writeChains(draft: Draft, outside: Start, inside: Start): void {
  const [strong, weak] = [draft.word(), draft.word()];
  const [of, other] = draft.order(outside[1], inside[1]);
  const used = draft.role(strong, trustOfRole(of), draft.assetUse(), draft.metrics());
  const counted = draft.role(weak, trustOfRole(other), draft.metrics());
  for (const [trust, role] of [outside, inside]) {
    const assumed = role === of ? used : counted;
    const word = role === outside[1] ? 0 : 1;
    draft.role(`${draft.drawn.app}-${draft.drawn.words[word]}`, trust, allow('sts:AssumeRole', ref(assumed, 'arn')));
  }
}
