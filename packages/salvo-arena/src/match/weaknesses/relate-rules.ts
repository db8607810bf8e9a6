import { namesAtDocument, namesInPart, whyItFollows } from './weakness-relations.ts';
import { weaknessById, weaknessesOfRule } from './weaknesses.ts';

export type RuleRelation = 'same' | 'in_part' | 'related' | 'different' | 'unknown';

/**
 * How the rules of a vulnerability are related to those of a finding: they report the same weakness, related ones, or
 * different ones. CWEs and ids that are not in the catalogue do not count. When a side has no other ids, the relation is
 * unknown, which is no evidence either way. With `atFlaw`, the finding is at the flaw's own place. There, a weakness may
 * have a further name (`same`), or the finding may say only a part of what is wrong (`in_part`).
 */
export function relateRules(a: readonly string[], b: readonly string[], atFlaw = false): RuleRelation {
  const ofA = new Set(a.flatMap(weaknessesOfRule));
  const ofB = new Set(b.flatMap(weaknessesOfRule));
  if (ofA.size === 0 || ofB.size === 0) return 'unknown';
  if (!ofA.isDisjointFrom(ofB)) return 'same';
  if (atFlaw) {
    const isNamed = (names: (weakness: string) => ReadonlySet<string>) =>
      [...ofA].some((weakness) => !names(weakness).isDisjointFrom(ofB));
    if (isNamed(namesAtDocument)) return 'same';
    if (isNamed(namesInPart)) return 'in_part';
  }
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
