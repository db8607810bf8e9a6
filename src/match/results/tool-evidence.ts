import type { CreateMatcher } from '../candidates/matcher.ts';
import type { Claim } from '../claims/claim.ts';
import { sameResource } from '../claims/resource-address.ts';
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

/**
 * Compares a scored game with what scanners claim. A match is corroborated when a tool reports the vulnerability or the
 * finding. A false alarm is supported when a tool reports it as well. A tool reports a claim when its own scores at
 * least `floor` with the matcher, and names the same resource where both name one.
 */
export function compareWithTools(game: {
  vulnerabilities: readonly Claim[];
  findings: readonly Claim[];
  /** Indices. */
  matches: readonly { vulnerability: number; finding: number }[];
  falseAlarms: readonly number[];
  tools: readonly Claim[];
  createMatcher: CreateMatcher;
  floor: number;
}): ToolEvidence {
  const { vulnerabilities, findings, matches, falseAlarms } = game;
  const planted = reportedBy(game, vulnerabilities);
  const found = reportedBy(game, findings);
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
function reportedBy(
  { tools, createMatcher, floor }: { tools: readonly Claim[]; createMatcher: CreateMatcher; floor: number },
  claims: readonly Claim[],
): ReadonlySet<number> {
  const { length, vulnerability, finding } = createMatcher(claims, tools).candidates(floor);
  const reported = new Set<number>();
  for (let index = 0; index < length; index += 1) {
    const at = vulnerability[index] ?? 0;
    if (!reported.has(at) && mayBeSameResource(claims[at], tools[finding[index] ?? 0])) reported.add(at);
  }
  return reported;
}

function mayBeSameResource(a: Claim | undefined, b: Claim | undefined): boolean {
  if (!a || !b) return false;
  return a.resources.length === 0 || b.resources.length === 0 || sameResource(a.resources, b.resources);
}
