import { tableKappa } from '../../stats/agreement/cohen-kappa.ts';
import { THRESHOLD_TOLERANCE } from '../../stats/mean.ts';

export interface BestThreshold {
  threshold: number;
  /** Cohen's kappa with people at that threshold. */
  kappa: number;
}

/** The judge's score of an item, the verdict of people on it, and how many trials it stands for. */
interface ScoredItem {
  score: number;
  passed: boolean;
  weight: number;
}

/**
 * The threshold at which a judge's scores agree best with people, by Cohen's kappa. Of thresholds that separate the
 * items in the same way, the current one, else a round number. Where two agree equally well, the one nearer to the
 * current threshold. Null when people passed everything or nothing, or when all scores are the same.
 */
export function bestThreshold(options: { items: readonly ScoredItem[]; current: number }): BestThreshold | null {
  const { current } = options;
  const items = options.items.toSorted((a, b) => b.score - a.score);
  const all = weightOf(items);
  const humanPassed = weightOf(items.filter(({ passed }) => passed));
  if (items.every(({ passed }) => passed) || !items.some(({ passed }) => passed)) return null;
  let best: BestThreshold | null = null;
  let [both, onlyJudge] = [0, 0];
  for (const [index, { score, passed, weight }] of items.entries()) {
    if (passed) both += weight;
    else onlyJudge += weight;
    const next = items[index + 1];
    // Scores that differ by less than the tolerance of a threshold cannot be separated.
    if (!next || score - next.score <= 10 * THRESHOLD_TOLERANCE) continue;
    const neither = all - humanPassed - onlyJudge;
    const kappa = tableKappa([both, onlyJudge, humanPassed - both, neither]);
    if (kappa === null || (best && kappa < best.kappa)) continue;
    const threshold = thresholdBetween(next.score, score, current);
    if (!best || kappa > best.kappa || Math.abs(threshold - current) < Math.abs(best.threshold - current)) {
      best = { threshold, kappa };
    }
  }
  return best;
}

function weightOf(items: readonly ScoredItem[]): number {
  return items.reduce((sum, { weight }) => sum + weight, 0);
}

/** Above `low`, at most `high`: the current threshold, or the roundest number near the middle. */
function thresholdBetween(low: number, high: number, current: number): number {
  const parts = (threshold: number) => threshold > low + 2 * THRESHOLD_TOLERANCE && threshold <= high;
  if (parts(current)) return current;
  for (let digits = 1; digits <= 8; digits += 1) {
    const round = Number(((low + high) / 2).toFixed(digits));
    if (parts(round)) return round;
  }
  return high;
}
