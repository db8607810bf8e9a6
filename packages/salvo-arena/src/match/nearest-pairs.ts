import type { Candidate } from './candidates/candidate-list.ts';
import type { MatcherName } from './candidates/matcher.ts';
import { buildMatchInput, pairInInput } from './claims/match-input.ts';
import { MATCHERS } from './matchers.ts';
import { type FindingsInput, findingRecords } from './read-findings.ts';
import { type ManifestInput, vulnerabilityRecords } from './read-manifest.ts';
import type { Pair } from './results/score-results.ts';

/** Comparing all pairs of a very long report would take longer than scoring it. */
const MOST_PAIRS = 100_000;

/**
 * The findings that come nearest to each vulnerability, and the vulnerabilities that come nearest to each finding, by
 * the matcher alone: what a person may ask about when they wonder why two were not matched. Empty if there are too many
 * pairs.
 */
export function nearestPairs(
  manifest: ManifestInput,
  findings: FindingsInput,
  { matcher: name, each }: { matcher: MatcherName /** How many of the other side. */; each: number },
): Omit<Pair, 'explanation'>[] {
  const input = buildMatchInput(vulnerabilityRecords(manifest), findingRecords(findings));
  const { sizes } = input;
  if (sizes.vulnerabilities * sizes.findings > MOST_PAIRS) return [];
  const matcher = MATCHERS[name](input.vulnerabilities.claims, input.findings.claims);
  const all: Candidate[] = [];
  for (let vulnerability = 0; vulnerability < sizes.vulnerabilities; vulnerability += 1) {
    for (let finding = 0; finding < sizes.findings; finding += 1) {
      all.push({ vulnerability, finding, score: matcher.score(vulnerability, finding) });
    }
  }
  const chosen = new Set<Candidate>();
  for (const side of ['vulnerability', 'finding'] as const) {
    for (const pairs of Map.groupBy(all, (pair) => pair[side]).values()) {
      for (const pair of pairs.toSorted((a, b) => b.score - a.score).slice(0, each)) chosen.add(pair);
    }
  }
  return [...chosen].map((pair) => ({
    ...pairInInput(input, pair),
    score: pair.score,
    factors: matcher.explain(pair.vulnerability, pair.finding),
  }));
}
