import { meetsThreshold } from 'salvo/kit/stats';
import { type Candidate, type CandidateList, forEachCandidate } from '../candidates/candidate-list.ts';

/** With more, a vulnerability that resembles everything would use up `maxPairs`. */
const MOST_OF_ONE_VULNERABILITY = 3;

/**
 * The pairs to ask models about, most promising first: their score lies in the band, and neither side has an exact
 * match already. Of each vulnerability the best three, and no more than `maxPairs` in all; the best pair of every
 * vulnerability comes before any second one. `leftOut` counts the pairs in the band that are not asked about.
 */
export function unclearPairs(
  candidates: CandidateList,
  options: { band: readonly [low: number, high: number]; settled: readonly Candidate[]; maxPairs: number },
): { pairs: Candidate[]; leftOut: number } {
  const { band, settled, maxPairs } = options;
  const [low, high] = band;
  const settledVulnerabilities = new Set(settled.map(({ vulnerability }) => vulnerability));
  const settledFindings = new Set(settled.map(({ finding }) => finding));
  const best = new Map<number, Candidate[]>();
  let inBand = 0;
  forEachCandidate(candidates, (vulnerability, finding, score) => {
    if (!meetsThreshold(score, low) || meetsThreshold(score, high)) return;
    if (settledVulnerabilities.has(vulnerability) || settledFindings.has(finding)) return;
    inBand += 1;
    const own = best.get(vulnerability) ?? [];
    best.set(vulnerability, own);
    const pair = { vulnerability, finding, score };
    const last = own[MOST_OF_ONE_VULNERABILITY - 1];
    if (last && byPromise(last, pair) < 0) return;
    own.push(pair);
    own.sort(byPromise);
    own.length = Math.min(own.length, MOST_OF_ONE_VULNERABILITY);
  });
  const ranked = [...best.values()].flatMap((own) => own.map((pair, rank) => ({ pair, rank })));
  ranked.sort((a, b) => a.rank - b.rank || byPromise(a.pair, b.pair));
  const pairs = ranked.slice(0, maxPairs).map(({ pair }) => pair);
  return { pairs, leftOut: inBand - pairs.length };
}

function byPromise(a: Candidate, b: Candidate): number {
  return b.score - a.score || a.vulnerability - b.vulnerability || a.finding - b.finding;
}
