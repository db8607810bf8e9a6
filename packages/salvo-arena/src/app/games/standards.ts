import type { Finding } from '../../match/claims/finding.ts';
import type { Weakness } from '../../match/weaknesses/weakness.ts';
import { allWeaknesses, weaknessesOfRule } from '../../match/weaknesses/weaknesses.ts';
import { operatorsFor } from '../../red/operators/operators.ts';
import { LANGUAGES, type Standard } from '../../tasks/game-settings.ts';

/** What a standard calls a weakness. */
const IN_STANDARD: Record<Standard, (weakness: Weakness) => boolean> = {
  cis: ({ id }) => cisWeaknesses().has(id),
  fsbp: ({ rules }) => (rules.security_hub ?? []).length > 0,
  hipaa: ({ rules }) => (rules.cdk_nag ?? []).some((rule) => rule.startsWith('HIPAA.')),
};

function cisWeaknesses(): Set<string> {
  const named = LANGUAGES.flatMap((language) => operatorsFor(language)).filter(({ calledBy }) =>
    calledBy.some((who) => who.startsWith('CIS ')),
  );
  return new Set(named.map(({ weakness }) => weakness));
}

/** A test whether a finding is about a weakness that one of the standards names. */
export function standardTest(standards: readonly Standard[]): (finding: Finding) => boolean {
  const named = new Set(
    allWeaknesses().flatMap((one) => (standards.some((standard) => IN_STANDARD[standard](one)) ? [one.id] : [])),
  );
  return ({ rule_id, rule_ids }) =>
    [...(rule_ids ?? []), rule_id ?? ''].some((id) => weaknessesOfRule(id).some((weakness) => named.has(weakness)));
}
