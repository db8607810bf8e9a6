import { FEW_CLUSTERS } from '../../../stats/intervals/cluster-intervals.ts';
import { LOWEST_P } from '../../../stats/significance/pooled-permutation-test.ts';
import { logChoose } from '../../../stats/significance/two-sample-tests.ts';

/** A time at which a run that goes on until it is decided is compared with its baseline. */
export interface Look {
  /** So many trials of each case. */
  trials: number;
  /** Only of the first cases of each scenario, in the order in which they run; null for all. */
  cases: number | null;
  /** The part of the error rate that is spent here. */
  alpha: number;
}

/** How many trials a baseline has of each case of a scenario, in the order in which the cases run. */
export type BaselineDesign = readonly number[];

/** The rest of the error rate is for looks after the planned trials, if the comparison is continued. */
const PLANNED_SHARE = 0.9;
/** The error rate is spent with this power of what a look can show: early looks find only large changes, and have little. */
const POWER = 1.5;
/** No case has more. */
const MOST_TRIALS = 1_000_000;
/** From one look to the next, the trials of each case grow by this factor. */
const STEP = 2;

/**
 * When a run is looked at, and how the error rate is shared by all looks: their parts add up to less than it, so that it
 * holds whenever the run ends. A look at which no outcome could decide anything leaves its part to the next. All of this
 * depends on the numbers of cases and trials alone, and never on results.
 */
export function* looksFor(
  scenarios: readonly BaselineDesign[],
  /** How many trials of each case were planned when the comparison began. */
  planned: number,
  alpha: number,
): Generator<Look> {
  if (scenarios.flat().length === 0) return;
  const base = harmonicMean(scenarios.flat());
  const mostCases = Math.max(0, ...scenarios.map(({ length }) => length));
  const known = (trials: number) => 1 / (1 / trials + 1 / base);
  let [spent, rest] = [0, 1 - PLANNED_SHARE];
  for (const place of placesOf(mostCases, planned)) {
    const share = (known(place.trials) / known(planned)) * ((place.cases ?? mostCases) / mostCases);
    let part = PLANNED_SHARE * Math.min(1, share) ** POWER - spent;
    if (place.trials > planned) {
      rest /= 2;
      part += rest;
    }
    if (place.trials > MOST_TRIALS) return;
    if (lowestP(scenarios, place) > alpha * part) continue;
    yield { ...place, alpha: alpha * part };
    spent += place.trials > planned ? part - rest : part;
  }
}

/** Many cases are looked at while they have their first trial. Later looks are after 1, 2, 4, 8... trials of each. */
function* placesOf(mostCases: number, planned: number): Generator<Omit<Look, 'alpha'>> {
  for (let cases = FEW_CLUSTERS; cases < mostCases; cases *= 2) yield { trials: 1, cases };
  for (let [last, next] = [0, 1]; ; [last, next] = [next, next * STEP]) {
    if (last < planned && next > planned) yield { trials: planned, cases: null };
    yield { trials: next, cases: null };
  }
}

/** The smallest p that any results of such a look could give: of a scenario, or of all together. */
function lowestP(scenarios: readonly BaselineDesign[], { trials, cases }: Omit<Look, 'alpha'>): number {
  const log = scenarios.reduce((sum, all) => {
    const seen = cases === null ? all : all.slice(0, cases);
    if (seen.length >= FEW_CLUSTERS) return sum - seen.length * Math.LN2;
    return sum - seen.reduce((ways, base) => ways + logChoose(base + trials, base), 0);
  }, 0);
  return Math.max(scenarios.length > 1 ? LOWEST_P : 0, 2 * Math.exp(log));
}

function harmonicMean(values: readonly number[]): number {
  return values.length / values.reduce((sum, value) => sum + 1 / value, 0);
}
