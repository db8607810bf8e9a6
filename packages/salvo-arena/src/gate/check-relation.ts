import type { Scope } from '../iac/evaluate/scope.ts';
import { RELATIONS, relationalFlaws } from '../iac/relations/relations.ts';
import type { Vulnerability } from '../match/claims/vulnerability.ts';
import { type Check, failed, passed, unchecked } from './gate-result.ts';
import type { GatedBlock } from './gated-code.ts';

const WEAKNESSES: ReadonlySet<unknown> = new Set(RELATIONS.map(({ weakness }) => weakness));

/**
 * Whether the relation that a claim names is in the code, between resources of which it names one. Null for a claim
 * about a single resource.
 */
export function checkRelation(
  { weakness, rule_ids }: Vulnerability,
  blocks: readonly Pick<GatedBlock, 'address'>[],
  scope: Scope,
): Check | null {
  const named = [weakness, ...(rule_ids ?? [])].flatMap((id) => (WEAKNESSES.has(id) ? String(id) : []));
  if (named.length === 0) return null;
  if (blocks.length === 0) return unchecked('rule', 'no resource of the relation is named');
  const found = relationalFlaws(scope, named).find(({ resources }) =>
    blocks.some(({ address }) => resources.includes(address)),
  );
  if (!found) return failed('rule', 'the resources are in no such relation');
  return passed('rule', found.facts.map(({ resource, says }) => `${resource} ${says}`).join('; '));
}
