import { meetsThreshold } from 'salvo/kit/stats';
import { type CandidateList, createCandidateList, forEachCandidate } from '../candidates/candidate-list.ts';
import type { Factor, Matcher } from '../candidates/matcher.ts';
import type { DecidedPair } from './decide-pairs.ts';

/**
 * A matcher that follows the decisions of models. The same flaw scores at least the threshold, so it is a partial match
 * or better; another flaw scores 0. Pairs that they left undecided or were not asked about keep their score.
 */
export function withDecisions(matcher: Matcher, decided: readonly DecidedPair[], matchThreshold: number): Matcher {
  const decisions = new Map<number, Map<number, DecidedPair>>();
  let lowest = Number.POSITIVE_INFINITY;
  for (const decision of decided) {
    const { vulnerability, finding, score } = decision.pair;
    const own = decisions.get(vulnerability) ?? new Map<number, DecidedPair>();
    decisions.set(vulnerability, own.set(finding, decision));
    lowest = Math.min(lowest, score);
  }
  const scoreAfter = (vulnerability: number, finding: number, score: number): number => {
    const same = decisions.get(vulnerability)?.get(finding)?.same ?? null;
    if (same === null) return score;
    return same ? Math.max(score, matchThreshold) : 0;
  };
  return {
    ...matcher,
    candidates(floor): CandidateList {
      const after = createCandidateList();
      forEachCandidate(matcher.candidates(Math.min(floor, lowest)), (vulnerability, finding, before) => {
        const score = scoreAfter(vulnerability, finding, before);
        if (meetsThreshold(score, floor)) after.push(vulnerability, finding, score);
      });
      return after.finish();
    },
    score: (vulnerability, finding) => scoreAfter(vulnerability, finding, matcher.score(vulnerability, finding)),
    explain(vulnerability, finding): Factor[] {
      const factors = matcher.explain(vulnerability, finding);
      const decision = decisions.get(vulnerability)?.get(finding);
      if (!decision) return factors;
      const before = decision.pair.score;
      const points = scoreAfter(vulnerability, finding, before) - before;
      return [...factors, { name: 'models', points, most: matchThreshold, reason: reasonOf(decision) }];
    },
  };
}

function reasonOf({ same, opinions }: DecidedPair): string {
  const said = (side: boolean | null) => opinions.filter((opinion) => opinion.same === side).length;
  const of = `${opinions.length} ${opinions.length === 1 ? 'model' : 'models'}`;
  if (same === null) return `undecided: ${said(true)} of ${of} said the same flaw, ${said(false)} said another`;
  return same ? `the same flaw, said ${said(true)} of ${of}` : `another flaw, said ${said(false)} of ${of}`;
}
