import { clusterIntervals } from '../packages/salvo/src/stats/intervals/cluster-intervals.ts';
import { mean, quantile } from '../packages/salvo/src/stats/mean.ts';
import { normalTail, studentQuantile } from '../packages/salvo/src/stats/normal.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import { drawBeta, drawCount } from './random-draws.ts';

const SAMPLES = 300;
const RATES = [0.1, 0.3, 0.5, 0.7, 0.9, 0.98];
/** How alike the items of a cluster are: 0 is not at all. */
const CORRELATIONS = [0, 0.1, 0.3];
const ITEMS = [5, 20];

interface Counts {
  found: number;
  of: number;
}
type Interval = readonly [number, number];

/** How often a 95% interval of a rate over clusters contains the true rate, against a bootstrap over clusters. */
export async function benchIntervalCoverage(): Promise<string[]> {
  const settings = RATES.flatMap((rate) =>
    CORRELATIONS.flatMap((alike) => ITEMS.map((items) => ({ rate, alike, items }))),
  );
  return [3, 4, 5, 7, 10, 20].map((clusters) => {
    const measured = settings.map((setting) => coverage({ ...setting, clusters }));
    const line = (method: 'bootstrap' | 'jackknife') => {
      const rates = measured.map((each) => each[method]);
      const average = mean(rates) ?? Number.NaN;
      return `${(100 * average).toFixed(0)}% (${(100 * Math.min(...rates)).toFixed(0)}% at worst)`;
    };
    return `${String(clusters).padStart(2)} clusters: ${line('jackknife')}; bootstrap ${line('bootstrap')}, over ${settings.length} settings`;
  });
}

function coverage(setting: { clusters: number; rate: number; alike: number; items: number }) {
  const { rate } = setting;
  const random = seededRandom('interval-coverage', ...Object.values(setting));
  const held = { bootstrap: 0, jackknife: 0 };
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const clusters = Array.from({ length: setting.clusters }, () => {
      const of = Math.max(1, Math.round(setting.items * (0.5 + random())));
      return { of, found: drawCount(random, { chance: drawBeta(random, { ...setting, mean: rate }), total: of }) };
    });
    if (contains(clusterIntervals({ clusters, metrics: (kept) => [share(kept)], random })?.[0], rate)) {
      held.jackknife += 1;
    }
    if (contains(percentileBootstrap(clusters, random), rate)) held.bootstrap += 1;
  }
  return { bootstrap: held.bootstrap / SAMPLES, jackknife: held.jackknife / SAMPLES };
}

/** With the expanded percentiles of Hesterberg (2015), as Salvo had it before. */
function percentileBootstrap(clusters: readonly Counts[], random: () => number): Interval {
  const shares = Array.from({ length: 400 }, () =>
    share(clusters.map((cluster) => clusters[Math.floor(random() * clusters.length)] ?? cluster)),
  );
  const size = clusters.length;
  const tail = normalTail(Math.sqrt(size / (size - 1)) * studentQuantile(size - 1));
  return [quantile(shares, tail) ?? 0, quantile(shares, 1 - tail) ?? 1];
}

function share(clusters: readonly Counts[]): number {
  let [found, of] = [0, 0];
  for (const cluster of clusters) {
    found += cluster.found;
    of += cluster.of;
  }
  return found / of;
}

function contains(interval: Interval | null | undefined, rate: number): boolean {
  return !!interval && interval[0] <= rate && rate <= interval[1];
}
