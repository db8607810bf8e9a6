import { wilsonInterval } from 'salvo/kit/stats';
import type { Game } from '../game/game-document.ts';
import type { ExperimentPlan } from './plan/experiment-plan.ts';

/** 99%, not 95%: the bound is checked after every game, and would be crossed by chance sooner or later. */
const Z = 2.5758293035489;

/**
 * Watches whether manifests are so often wrong that the experiment should stop: the share of confirmed entries. It should stop when even the upper end of its interval is below
 * the bound. Entries of one manifest depend on each other, so the interval is that of a ratio over manifests. It is
 * never narrower than Wilson's, for the case that all manifests are alike.
 */
export function createAccuracyWatch(stop: ExperimentPlan['stop']) {
  const seen = new Set<string>();
  let games = 0;
  const sums = { manifests: 0, true: 0, checked: 0, trueSquared: 0, product: 0, checkedSquared: 0 };
  return {
    add({ code_key, confirmed, phantoms }: Pick<Game, 'code_key' | 'confirmed' | 'phantoms'>): void {
      if (stop === undefined) return;
      games += 1;
      const checked = confirmed + phantoms;
      if (checked === 0 || seen.has(code_key)) return;
      seen.add(code_key);
      sums.manifests += 1;
      sums.true += confirmed;
      sums.checked += checked;
      sums.trueSquared += confirmed ** 2;
      sums.product += confirmed * checked;
      sums.checkedSquared += checked ** 2;
    },
    /** Null as long as it should not. */
    stopReason(): string | null {
      if (stop === undefined || games < stop.after_games || sums.manifests < 2) return null;
      const rate = sums.true / sums.checked;
      const spread = sums.trueSquared - 2 * rate * sums.product + rate ** 2 * sums.checkedSquared;
      const variance = (sums.manifests / (sums.manifests - 1)) * Math.max(0, spread);
      const wilson = wilsonInterval({ passed: sums.true, total: sums.checked })?.[1] ?? 1;
      const upper = Math.max(wilson, rate + (Z * Math.sqrt(variance)) / sums.checked);
      if (upper >= stop.min_manifest_accuracy) return null;
      const percent = (share: number) => `${(share * 100).toFixed(1)}%`;
      return `${sums.true} of ${sums.checked} entries of ${sums.manifests} manifests are true (${percent(rate)}, certainly below ${percent(upper)}): manifest accuracy will not reach ${percent(stop.min_manifest_accuracy)}`;
    },
  };
}
