import type { Candidate } from '../candidates/candidate-list.ts';
import type { Claim } from '../claims/claim.ts';
import type { MatchInput } from '../claims/match-input.ts';
import { cleanResourceMetrics, NO_CLEAN_RESOURCES } from './clean-resources.ts';
import { type ConfirmedInput, checkManifest, UNCHECKED } from './manifest-check.ts';
import type { Pairing } from './pairing.ts';
import type { OutsideEvidence } from './score-results.ts';
import { compareWithTools, NO_TOOLS } from './tool-evidence.ts';
import type { UnresolvedValue } from './unresolved.ts';

/** What is known besides the reports of the two teams. A part is null when it is not known. */
export interface KnownFromOutside {
  /** What scanners claim about the same code. */
  tools: readonly Claim[] | null;
  confirmed: ConfirmedInput | null;
  /** Addresses of resources that are known to have no flaw. */
  cleanResources: readonly string[] | null;
  /** Whether Blue reports the same on the same code each time. */
  isRepeatable: boolean;
  /** For each finding on the twin: the value that it is about, if only evaluation finds that value. */
  unresolved: readonly (UnresolvedValue | null)[] | null;
}

interface Scored {
  input: MatchInput;
  pairing: Pairing;
  duplicates: readonly Candidate[];
  /** Findings without a match that are no false alarms either: consequences, and what was there before. */
  explained: ReadonlySet<number>;
}

/** What the outside evidence says about a scored game. Indices are those of the input. */
export function outsideEvidence(known: KnownFromOutside, scored: Scored): OutsideEvidence {
  const { tools, confirmed, cleanResources } = known;
  return {
    ...(tools ? toolPart(tools, scored) : NO_TOOLS),
    ...(confirmed ? checkManifest(confirmed, foundInInputOrder(scored)) : UNCHECKED),
    ...(cleanResources ? cleanPart(cleanResources, scored) : NO_CLEAN_RESOURCES),
  };
}

function toolPart(tools: readonly Claim[], { input, pairing }: Scored) {
  const { vulnerabilities, findings } = input;
  const evidence = compareWithTools({
    vulnerabilities: vulnerabilities.claims,
    findings: findings.claims,
    matches: pairing.chosen,
    falseAlarms: unmatchedFindings(pairing),
    tools,
  });
  return {
    ...evidence,
    corroborated: inputPositions(evidence.corroborated, vulnerabilities.positions),
    supportedAlarms: inputPositions(evidence.supportedAlarms, findings.positions),
  };
}

function inputPositions(indices: readonly number[] | null, positions: readonly number[]): number[] | null {
  return indices === null ? null : indices.map((index) => positions[index] ?? 0).sort((a, b) => a - b);
}

function cleanPart(cleanResources: readonly string[], { input, pairing, duplicates, explained }: Scored) {
  const isDuplicate = new Set(duplicates.map(({ finding }) => finding));
  const vulnerabilities = input.vulnerabilities.claims.length;
  return cleanResourceMetrics(cleanResources, {
    alarms: unmatchedFindings(pairing)
      .filter((finding) => !isDuplicate.has(finding) && !explained.has(finding))
      .map((finding) => input.findings.claims[finding]?.resources ?? []),
    recall: vulnerabilities === 0 ? null : pairing.chosen.length / vulnerabilities,
  });
}

function unmatchedFindings({ vulnerabilityOf }: Pairing): number[] {
  return [...vulnerabilityOf.keys()].filter((finding) => vulnerabilityOf[finding] === -1);
}

function foundInInputOrder({ input, pairing }: Scored): { id: string; found: boolean }[] {
  const listed = input.labels.map(({ id }) => ({ id, found: false }));
  for (const [index, position] of input.vulnerabilities.positions.entries()) {
    const vulnerability = listed[position];
    if (vulnerability) vulnerability.found = pairing.findingOf[index] !== -1;
  }
  return listed;
}
