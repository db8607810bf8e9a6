import { forEachCandidate } from '../candidates/candidate-list.ts';
import type { Claim } from '../claims/claim.ts';
import { sameResource } from '../claims/resource-address.ts';
import { createEvidenceMatcher } from '../evidence/evidence-matcher.ts';
import type { OutsideEvidence } from './score-results.ts';

type ToolEvidence = Pick<
  OutsideEvidence,
  'corroborated' | 'corroborationRate' | 'supportedAlarms' | 'adjustedPrecision'
>;

export const NO_TOOLS: ToolEvidence = {
  corroborated: null,
  corroborationRate: null,
  supportedAlarms: null,
  adjustedPrecision: null,
};

/** From this score of the evidence matcher on, two claims are the same, whichever matcher scored the game. */
const SAME_CLAIM = 0.5;

/**
 * Compares a scored game with what scanners claim. A match is corroborated when a tool reports the vulnerability or the
 * finding. A false alarm is supported when a tool reports it as well. Claims that name different resources are never
 * the same.
 */
export function compareWithTools(game: {
  vulnerabilities: readonly Claim[];
  findings: readonly Claim[];
  /** Indices. */
  matches: readonly { vulnerability: number; finding: number }[];
  falseAlarms: readonly number[];
  tools: readonly Claim[];
}): ToolEvidence {
  const { vulnerabilities, findings, matches, falseAlarms, tools } = game;
  const planted = reportedBy(tools, vulnerabilities);
  const found = reportedBy(tools, findings);
  const corroborated = matches
    .filter(({ vulnerability, finding }) => planted.has(vulnerability) || found.has(finding))
    .map(({ vulnerability }) => vulnerability);
  const supportedAlarms = falseAlarms.filter((finding) => found.has(finding));
  const counted = findings.length - supportedAlarms.length;
  return {
    corroborated,
    corroborationRate: matches.length === 0 ? null : corroborated.length / matches.length,
    supportedAlarms,
    adjustedPrecision: counted === 0 ? null : matches.length / counted,
  };
}

/** The indices of the claims that a tool makes as well. */
function reportedBy(tools: readonly Claim[], claims: readonly Claim[]): ReadonlySet<number> {
  const reported = new Set<number>();
  forEachCandidate(createEvidenceMatcher(claims, tools).candidates(SAME_CLAIM), (claim, tool) => {
    if (!reported.has(claim) && mayBeSameResource(claims[claim], tools[tool])) reported.add(claim);
  });
  return reported;
}

function mayBeSameResource(a: Claim | undefined, b: Claim | undefined): boolean {
  if (!a || !b) return false;
  return a.resources.length === 0 || b.resources.length === 0 || sameResource(a.resources, b.resources);
}
