import type { Cloud, Thing } from './cloud.ts';
import { isAbout, type Statement, statementsOf } from './statement.ts';

/** A statement of a policy that an identity has, and the resource in which it is written. */
export interface Permission {
  statement: Statement;
  /** The policy, or the role itself. */
  holder: Thing;
  /** What gives the policy to the role, if it is a resource of its own. */
  attachment: Thing | null;
}

/** All statements that allow a role something, without a condition. */
export function permissionsOf(cloud: Cloud, role: Thing): Permission[] {
  const of = (holder: Thing, attachment: Thing | null, path = 'policy') =>
    statementsOf(holder.get(path)).map((statement) => ({ statement, holder, attachment }));
  const isFor = (thing: Thing, path: string) => cloud.targets(thing, thing.get(path), 'role').includes(role);
  const inline = cloud.all('rolePolicy').filter((policy) => isFor(policy, 'role'));
  const attachments = cloud.all('policyAttachment').filter((one) => isFor(one, 'role'));
  const managed = cloud.all('policy').filter((policy) => isFor(policy, 'roles'));
  return [
    ...of(role, null, 'inline_policy.policy'),
    ...of(role, null, 'policies.policy_document'),
    ...inline.flatMap((policy) => of(policy, null)),
    ...managed.flatMap((policy) => of(policy, null)),
    ...attachments.flatMap((one) =>
      cloud.targets(one, one.get('policy_arn'), 'policy').flatMap((policy) => of(policy, one)),
    ),
  ].filter(({ statement }) => statement.isAllow && statement.conditions.length === 0);
}

/** What a role may use: resources of this code that are no identities, policies or documents. */
export interface Use {
  permission: Permission;
  asset: Thing;
}

const NO_ASSETS = /^(?:aws_iam_|AWS::IAM::|aws_eks_access|aws_ecs_task_definition$|AWS::ECS::TaskDefinition$)/;

export function usesOf(cloud: Cloud, role: Thing): Use[] {
  return permissionsOf(cloud, role).flatMap((permission) =>
    cloud
      .targets(permission.holder, permission.statement.resources)
      .filter(({ type, view }) => view.kind === 'resource' && !NO_ASSETS.test(type))
      .map((asset) => ({ permission, asset })),
  );
}

/** What the one role may use and the other may not. */
export function usesBeyond(cloud: Cloud, role: Thing, other: Thing): Use[] {
  const own = usesOf(cloud, other).map(({ asset }) => asset);
  return usesOf(cloud, role).filter(({ asset }) => !own.includes(asset));
}

export function trustOf(role: Thing): Statement[] {
  return statementsOf(role.get('assume_role_policy')).filter(({ isAllow }) => isAllow);
}

/** The account of a principal that is written as a number: one of somebody else. Null for any other principal. */
export function accountOf(id: string): string | null {
  return /^(?:arn:[\w-]+:iam::)?(\d{12})(?::|$)/.exec(id)?.[1] ?? null;
}

/** The account of somebody else that a statement lets in. */
export function foreignAccount(statement: Statement): string | null {
  const accounts = statement.principals.flatMap(({ kind, id }) => (kind === 'AWS' ? (accountOf(id) ?? []) : []));
  return statement.isAllow ? (accounts[0] ?? null) : null;
}

/** The account of somebody else that may assume a role. */
export function trustedAccount(role: Thing): string | null {
  return trustOf(role).flatMap((statement) => foreignAccount(statement) ?? [])[0] ?? null;
}

/** The permission by which a role assumes another one that trusts it. */
export function assumption(cloud: Cloud, from: Thing, to: Thing): Permission | null {
  const isTrusted = trustOf(to).some(({ principals }) =>
    principals.some(({ id }) => cloud.targets(to, id, 'role').includes(from)),
  );
  const may = permissionsOf(cloud, from).find(
    ({ statement, holder }) =>
      isAbout(statement, 'sts:assumerole') && cloud.targets(holder, statement.resources, 'role').includes(to),
  );
  return isTrusted && may ? may : null;
}

export function trustsService(role: Thing, service: string): boolean {
  return trustOf(role).some(({ principals }) =>
    principals.some(({ kind, id }) => kind === 'Service' && id === service),
  );
}
