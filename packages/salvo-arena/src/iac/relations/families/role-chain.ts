import type { Cloud, Thing } from '../cloud.ts';
import { assumption, trustedAccount, trustOf, type Use, usesBeyond } from '../identity.ts';
import { type Fact, type Facts, fact, type Relation } from '../relation.ts';
import { listOf } from '../statement.ts';

const family = 'role_chain';

/** A role that anyone who opens a pull request in a public code host can get, by the trust in its tokens. */
function isForPullRequests(role: Thing): boolean {
  return trustOf(role).some(({ principals, conditions }) => {
    const isFederated = principals.some(({ kind }) => kind === 'Federated');
    const subjects = conditions.filter(({ key }) => key.endsWith(':sub')).flatMap(({ values }) => values);
    return isFederated && subjects.some((subject) => subject.endsWith(':pull_request'));
  });
}

/** What a role may use, and where that is written. */
export function factsOfUse(role: Thing, { permission, asset }: Use): Fact[] {
  const { holder, attachment, statement } = permission;
  const may = `allows ${statement.actions[0]} on ${asset.address}`;
  return [
    ...(attachment ? [fact(attachment, `gives ${holder.address} to ${role.address}`, 'policy_arn')] : []),
    fact(holder, may, holder.kind === 'role' ? undefined : 'policy'),
    fact(asset, `can be used by whoever has ${role.address}`),
  ];
}

function chains(cloud: Cloud, outsiderOf: (role: Thing) => string | null): Facts[] {
  return cloud.all('role').flatMap((first) => {
    const outsider = outsiderOf(first);
    if (outsider === null) return [];
    return cloud.all('role').flatMap((second): Facts[] => {
      if (second === first) return [];
      const may = assumption(cloud, first, second);
      const [use] = may ? usesBeyond(cloud, second, first) : [];
      if (!may || !use) return [];
      return [
        [
          fact(second, `can be assumed by ${first.address}`, 'assume_role_policy'),
          fact(may.holder, `lets ${first.address} assume ${second.address}`, 'policy'),
          fact(first, `can be assumed by ${outsider}`, 'assume_role_policy'),
          ...providersOf(cloud, first),
          ...factsOfUse(second, use),
        ],
      ];
    });
  });
}

/** Who signs the tokens that a role trusts. */
function providersOf(cloud: Cloud, role: Thing): Fact[] {
  const ids = trustOf(role).flatMap(({ principals }) => principals.map(({ id }) => id));
  return cloud.targets(role, ids, 'oidcProvider').map((one) => fact(one, 'signs tokens for pull requests, too'));
}

function accountText(role: Thing): string | null {
  const account = trustedAccount(role);
  return account === null ? null : `the account ${account}`;
}

function clusterAdministrators(cloud: Cloud): Facts[] {
  const isAdmin = (thing: Thing, path: string) =>
    listOf(thing.get(path)).some((arn) => String(arn).endsWith('/AmazonEKSClusterAdminPolicy'));
  const given: readonly (readonly [Thing, string])[] = [
    ...cloud.all('accessPolicy').flatMap((one) => (isAdmin(one, 'policy_arn') ? [[one, 'policy_arn'] as const] : [])),
    ...cloud
      .all('accessEntry')
      .flatMap((one) => (isAdmin(one, 'access_policies.policy_arn') ? [[one, 'access_policies'] as const] : [])),
  ];
  return given.flatMap(([thing, attribute]) =>
    cloud.targets(thing, thing.get('principal_arn'), 'role').flatMap((role): Facts[] => {
      const outsider = accountText(role);
      const entries = cloud
        .all('accessEntry')
        .filter((one) => one !== thing && cloud.targets(one, one.get('principal_arn'), 'role').includes(role));
      if (outsider === null) return [];
      return [
        [
          fact(thing, `makes ${role.address} an administrator of the cluster`, attribute),
          ...entries.map((one) => fact(one, `lets ${role.address} into the cluster`, 'principal_arn')),
          fact(role, `can be assumed by ${outsider}`, 'assume_role_policy'),
        ],
      ];
    }),
  );
}

/** A grant is a permission that no policy shows. */
function grants(cloud: Cloud): Facts[] {
  return cloud.all('keyGrant').flatMap((grant) => {
    if (!listOf(grant.get('operations')).includes('Decrypt')) return [];
    const [key] = cloud.targets(grant, grant.get('key_id'), 'key');
    return cloud.targets(grant, grant.get('grantee_principal'), 'role').flatMap((role): Facts[] => {
      const outsider = accountText(role);
      if (outsider === null) return [];
      return [
        [
          fact(grant, `lets ${role.address} decrypt`, 'grantee_principal'),
          fact(role, `can be assumed by ${outsider}`, 'assume_role_policy'),
          ...(key ? [fact(key, 'is the key that the grant is for')] : []),
        ],
      ];
    });
  });
}

export const ROLE_CHAINS: readonly Relation[] = [
  { weakness: 'iam-role-chain-other-account', family, find: (cloud) => chains(cloud, accountText) },
  {
    weakness: 'iam-role-chain-pull-request',
    family,
    find: (cloud) => chains(cloud, (role) => (isForPullRequests(role) ? 'every pull request' : null)),
  },
  { weakness: 'eks-cluster-admin-other-account', family, find: clusterAdministrators },
  { weakness: 'kms-grant-other-account', family: 'shared_key', find: grants },
];
