import { z } from 'zod';
import type { PolicyStatement, Principal } from '../../iac/read/policy-statements.ts';

/** A pattern for statements of policies. All that is given must hold. */
export const statementPatternSchema = z.strictObject({
  effect: z.enum(['Allow', 'Deny']).default('Allow'),
  /** It has one of these actions. */
  action: z.array(z.string()).optional(),
  no_action: z.array(z.string()).optional(),
  /** Whether it covers all resources. */
  any_resource: z.boolean().optional(),
  /** `*` for everyone, or the kind of at least one principal. */
  principal: z.enum(['*', 'AWS', 'Service', 'Federated']).optional(),
  /** A part of the id of at least one principal. */
  principal_id: z.string().optional(),
  not_anyone: z.literal(true).optional(),
  conditional: z.boolean().optional(),
  /** The end of a key that its condition has, or does not have. */
  condition_key: z.string().optional(),
  no_condition_key: z.string().optional(),
});

export type StatementPattern = z.infer<typeof statementPatternSchema>;

const value = z.union([z.string(), z.array(z.string())]);

/** The new values of the given fields. */
export const statementChangeSchema = z.strictObject({
  Action: value.optional(),
  Resource: value.optional(),
  /** Everyone. A plain `*` means the same as `{"AWS": "*"}`, but some scanners overlook it. */
  Principal: z.union([z.strictObject({ AWS: z.literal('*') }), z.literal('*')]).optional(),
  /** `NotAction` or `NotPrincipal` with the same values: all actions but these, everyone but this one. */
  negate: z.enum(['Action', 'Principal']).optional(),
  /** Removes the whole condition. */
  Condition: z.null().optional(),
  /** Removes only the key with this ending. */
  drop_condition_key: z.string().optional(),
});

export type StatementChange = z.infer<typeof statementChangeSchema>;

/** The same for any principal, not only for everyone. */
export type StatementValues = Omit<StatementChange, 'Principal'> & { Principal?: { AWS: string } | '*' | undefined };

/** Whether a statement matches the pattern. Unknown parts match nothing. */
export function matchesPattern(pattern: StatementPattern, statement: PolicyStatement): boolean {
  const { actions, resources, principals } = statement;
  const keys = statement.conditions.flatMap(({ key }) => (key === '' ? [] : [key]));
  const kinds = [...principals.flatMap(kindsOf), ...(statement.hasNotPrincipal ? ['*'] : [])];
  const isAnyAction = actions.includes('*:*') || statement.hasNotAction;
  const hasAction = (wanted: readonly string[] = []) =>
    wanted.some((action) => actions.includes(action.toLowerCase()) || (action === '*' && isAnyAction));
  const hasKey = (ending = '') => keys.some((key) => key.endsWith(ending.toLowerCase()));
  const asked: [unknown, () => boolean][] = [
    [pattern.effect, () => statement.effect === pattern.effect.toLowerCase()],
    [pattern.action, () => hasAction(pattern.action)],
    [pattern.no_action, () => !hasAction(pattern.no_action)],
    [pattern.any_resource, () => resources.includes('*') === pattern.any_resource],
    [pattern.principal, () => kinds.includes(pattern.principal ?? '')],
    [pattern.principal_id, () => principals.some(({ id }) => id.includes(pattern.principal_id ?? ''))],
    [pattern.not_anyone, () => principals.length > 0 && !kinds.includes('*')],
    [pattern.conditional, () => keys.length > 0 === pattern.conditional],
    [pattern.condition_key, () => hasKey(pattern.condition_key)],
    [pattern.no_condition_key, () => !hasKey(pattern.no_condition_key)],
  ];
  return asked.every(([given, holds]) => given === undefined || holds());
}

/** `*` for everyone, otherwise the kind of the principal. */
function kindsOf({ kind, id }: Principal): string[] {
  if (kind === '*') return id === '*' ? ['*'] : [];
  return kind === 'AWS' && id === '*' ? [kind, '*'] : [kind];
}
