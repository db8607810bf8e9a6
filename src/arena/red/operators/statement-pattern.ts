import { z } from 'zod';
import type { PolicyStatement, Principal } from '../../../iac/read/policy-statements.ts';

/** What a statement of a policy is like. All that is given must hold. */
export const statementPatternSchema = z.strictObject({
  effect: z.enum(['Allow', 'Deny']).default('Allow'),
  /** One of these actions, as they are written. */
  action: z.array(z.string()).optional(),
  no_action: z.array(z.string()).optional(),
  /** Whether it is about all resources. */
  any_resource: z.boolean().optional(),
  /** Who it is about: everyone, or at least one of a kind. */
  principal: z.enum(['*', 'AWS', 'Service', 'Federated']).optional(),
  not_anyone: z.literal(true).optional(),
  conditional: z.boolean().optional(),
  /** The end of the name of a key that its condition has, or has not. */
  condition_key: z.string().optional(),
  no_condition_key: z.string().optional(),
});

export type StatementPattern = z.infer<typeof statementPatternSchema>;

const value = z.union([z.string(), z.array(z.string())]);

/** What becomes of the fields that are named. */
export const statementChangeSchema = z.strictObject({
  Action: value.optional(),
  Resource: value.optional(),
  Principal: z.literal('*').optional(),
  /** Taken out as a whole. */
  Condition: z.null().optional(),
  /** Only the part that asks for a key with this ending. */
  drop_condition_key: z.string().optional(),
});

export type StatementChange = z.infer<typeof statementChangeSchema>;

/** Whether a statement is like the pattern. What is unknown in it is not like anything. */
export function isLike(pattern: StatementPattern, statement: PolicyStatement): boolean {
  const { actions, resources, principals } = statement;
  const keys = statement.conditions.flatMap(({ key }) => (key === '' ? [] : [key]));
  const kinds = principals.flatMap(kindsOf);
  const hasAction = (wanted: readonly string[] = []) => wanted.some((action) => actions.includes(action.toLowerCase()));
  const hasKey = (ending = '') => keys.some((key) => key.endsWith(ending.toLowerCase()));
  const asked: [unknown, () => boolean][] = [
    [pattern.effect, () => statement.effect === pattern.effect.toLowerCase()],
    [pattern.action, () => hasAction(pattern.action)],
    [pattern.no_action, () => !hasAction(pattern.no_action)],
    [pattern.any_resource, () => resources.includes('*') === pattern.any_resource],
    [pattern.principal, () => kinds.includes(pattern.principal ?? '')],
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
