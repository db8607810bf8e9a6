import { weaknessById, weaknessesOfRule } from './weaknesses.ts';

export type RuleRelation = 'same' | 'related' | 'different' | 'unknown';

/**
 * How the rules of one claim are related to those of another: they report the same weakness, related ones, or different
 * ones. CWEs and ids that are not in the catalogue do not count. When a side has no other ids, the relation is unknown,
 * which is no evidence either way.
 */
export function relateRules(a: readonly string[], b: readonly string[]): RuleRelation {
  const ofA = reportedWeaknesses(a);
  const ofB = reportedWeaknesses(b);
  if (ofA.size === 0 || ofB.size === 0) return 'unknown';
  let relation: RuleRelation = 'different';
  for (const one of ofA) {
    if (ofB.has(one)) return 'same';
    for (const other of ofB) if (areRelated(one, other)) relation = 'related';
  }
  return relation;
}

function reportedWeaknesses(ruleIds: readonly string[]): Set<string> {
  return new Set(ruleIds.flatMap(weaknessesOfRule));
}

function areRelated(one: string, other: string): boolean {
  return listsAsRelated(one, other) || listsAsRelated(other, one);
}

function listsAsRelated(one: string, other: string): boolean {
  return weaknessById(one)?.related.includes(other) ?? false;
}
