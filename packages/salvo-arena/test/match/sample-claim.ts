import type { Claim } from '../../src/match/claims/claim.ts';

/** An empty claim with the fields that a test sets. */
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
    locations: [],
    ...changes,
  };
}
