import type { Claim } from '../../src/match/claims/claim.ts';

/** A claim that says nothing but what a test has it say. */
export function sampleClaim(changes: Partial<Claim> = {}): Claim {
  return {
    type: '',
    resources: [],
    severity: null,
    title: '',
    description: '',
    evidence: '',
    attributes: [],
    file: null,
    line: null,
    end_line: null,
    rule_ids: [],
    ...changes,
  };
}
