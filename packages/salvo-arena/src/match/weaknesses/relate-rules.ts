import { whyItFollows } from './weakness-relations.ts';
import { weaknessById, weaknessesOfRule } from './weaknesses.ts';

export type RuleRelation = 'same' | 'related' | 'different' | 'unknown';

/**
 * How the rules of one claim are related to those of another: they report the same weakness, related ones, or different
 * ones. CWEs and ids that are not in the catalogue do not count. When a side has no other ids, the relation is unknown,
 * which is no evidence either way.
 */
export function relateRules(a: readonly string[], b: readonly string[]): RuleRelation {
  const ofA = new Set(a.flatMap(weaknessesOfRule));
  const ofB = new Set(b.flatMap(weaknessesOfRule));
  if (ofA.size === 0 || ofB.size === 0) return 'unknown';
  if (!ofA.isDisjointFrom(ofB)) return 'same';
  return [...ofA].some((one) => [...ofB].some((other) => areRelated(one, other))) ? 'related' : 'different';
}

/** A weakness may list those that it is easily confused with; one of the two lists is enough. */
function areRelated(one: string, other: string): boolean {
  return (
    [weaknessById(one)?.related.includes(other), weaknessById(other)?.related.includes(one)].includes(true) ||
    whyItFollows(one, other) !== null ||
    whyItFollows(other, one) !== null
  );
}
