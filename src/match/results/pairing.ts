import type { Candidate, CandidateList } from '../candidates/candidate-list.ts';

/** Who was paired with whom. All indices are those of the matcher. */
export interface Pairing {
  /** Every pair that reaches the threshold, chosen or not. */
  candidates: CandidateList;
  chosen: readonly Candidate[];
  /** The finding of each vulnerability, or -1. */
  findingOf: Int32Array;
  /** The vulnerability of each finding, or -1. */
  vulnerabilityOf: Int32Array;
}

export function pairingOf(
  candidates: CandidateList,
  chosen: readonly Candidate[],
  sizes: { vulnerabilities: number; findings: number },
): Pairing {
  const findingOf = new Int32Array(sizes.vulnerabilities).fill(-1);
  const vulnerabilityOf = new Int32Array(sizes.findings).fill(-1);
  for (const { vulnerability, finding } of chosen) {
    findingOf[vulnerability] = finding;
    vulnerabilityOf[finding] = vulnerability;
  }
  return { candidates, chosen, findingOf, vulnerabilityOf };
}
