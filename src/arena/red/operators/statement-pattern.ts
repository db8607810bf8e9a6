import { z } from 'zod';
import type { Json } from '../../../iac/evaluate/value.ts';

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
export function isLike(pattern: StatementPattern, statement: Json): boolean {
  if (typeof statement !== 'object' || statement === null || Array.isArray(statement)) return false;
  const { Effect, Action = null, Resource = null, Principal = null, Condition = null } = statement;
  const keys = conditionKeys(Condition);
  const asked: [unknown, () => boolean][] = [
    [pattern.effect, () => Effect === pattern.effect],
    [pattern.action, () => textsOf(Action).some((one) => pattern.action?.includes(one))],
    [pattern.no_action, () => !textsOf(Action).some((one) => pattern.no_action?.includes(one))],
    [pattern.any_resource, () => textsOf(Resource).includes('*') === pattern.any_resource],
    [pattern.principal, () => kindsOf(Principal).includes(pattern.principal ?? '')],
    [pattern.not_anyone, () => Principal !== null && !kindsOf(Principal).includes('*')],
    [pattern.conditional, () => keys.length > 0 === pattern.conditional],
    [pattern.condition_key, () => keys.some((key) => key.endsWith(pattern.condition_key ?? ''))],
    [pattern.no_condition_key, () => !keys.some((key) => key.endsWith(pattern.no_condition_key ?? ''))],
  ];
  return asked.every(([given, holds]) => given === undefined || holds());
}

/** `*` for everyone, otherwise the kinds of principals that there are. */
function kindsOf(principal: Json): string[] {
  if (principal === '*') return ['*'];
  if (typeof principal !== 'object' || principal === null || Array.isArray(principal)) return [];
  return Object.entries(principal).flatMap(([kind, who]) =>
    kind === 'AWS' && textsOf(who).includes('*') ? [kind, '*'] : [kind],
  );
}

function conditionKeys(condition: Json): string[] {
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return [];
  return Object.values(condition).flatMap((test) =>
    typeof test === 'object' && test !== null && !Array.isArray(test) ? Object.keys(test) : [],
  );
}

function textsOf(json: Json): string[] {
  if (Array.isArray(json)) return json.flatMap(textsOf);
  return typeof json === 'string' ? [json] : [];
}
