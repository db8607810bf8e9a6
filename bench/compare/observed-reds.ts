import { answerOf, observedRule } from '../../packages/salvo/src/run/compare/against-rule.ts';
import { compareScenario } from '../../packages/salvo/src/run/compare/compare-scenario.ts';
import { seededRandom } from '../../packages/salvo/src/stats/seeded-random.ts';
import { drawCount } from '../random-draws.ts';
import { simulateRuns } from '../run-simulator.ts';
import { share } from './share.ts';

const RUNS = 4000;
const MARGIN = 0.1;

/** How often runs are red by the rule for what no test decides, and how often `--against` shows that nothing fell. */
export function observedReds(seeds: number): string[] {
  const unchanged = [0.7, 0.8, 0.93].map((rate) => {
    const sizes = [1, 5, 10, 30].map((scenarios) => `${scenarios}: ${share(reds({ scenarios, trials: 3, rate }))}`);
    return `unchanged agents of ${share(rate)} red by the observed rule, scenarios x 3 trials: ${sizes.join(', ')}`;
  });
  const of93 = { rate: 0.93 };
  return [
    ...unchanged,
    `the same of 93%: one scenario x 20 ${share(reds({ ...of93, scenarios: 1, trials: 20 }))}, one x 3 ${share(reds({ ...of93, scenarios: 1, trials: 3 }))}, ` +
      `30 cases x 3 ${share(reds({ ...of93, scenarios: 1, trials: 90 }))}, 30 scenarios x 3 ${share(reds({ ...of93, scenarios: 30, trials: 3 }))}`,
    `a fall from 93 to 73% with 20 trials is red in ${share(reds({ ...of93, scenarios: 1, trials: 20, after: 0.73 }))}`,
    `one dead scenario of 30 x 3, all of 93%: ${share(reds({ ...of93, scenarios: 30, trials: 3, dead: 0.93 }))}; ` +
      `if it passed in every trial before: ${share(reds({ ...of93, scenarios: 30, trials: 3, dead: 1 }))}`,
    ...[50, 100, 200].map((trials) => notWorse(trials, seeds)),
  ];
}

interface ObservedDesign {
  scenarios: number;
  trials: number;
  rate: number;
  /** Of the new run; the same if missing. */
  after?: number;
  /** The rate that the first scenario had before it died. */
  dead?: number;
}

function reds({ scenarios, trials, rate, after = rate, dead }: ObservedDesign): number {
  const random = seededRandom('observed', scenarios, trials, rate, after, dead ?? '');
  const side = (chance: number) => ({ passed: drawCount(random, { chance, total: trials }), total: trials });
  let count = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const observed = Array.from({ length: scenarios }, (_, index) =>
      index === 0 && dead !== undefined ? { base: side(dead), next: side(0) } : { base: side(rate), next: side(after) },
    );
    if (observedRule({ scenarios: observed, margin: MARGIN }).red) count += 1;
  }
  return count / RUNS;
}

/** How often an agent of 90% is shown to be not worse by more than 10 points: unchanged, and exactly 10 points worse. */
function notWorse(trials: number, seeds: number): string {
  const random = seededRandom('not worse', trials);
  const shown = (drop: number) => {
    let count = 0;
    for (let seed = 0; seed < seeds; seed += 1) {
      const { base, next } = simulateRuns({ cases: 1, trials, rate: 0.9, alike: 0, drop }, random);
      if (answerOf(compareScenario(base, next), null) === 'not_worse') count += 1;
    }
    return share(count / seeds);
  };
  return `${trials} trials of 90%: shown to be not worse by more than 10 points ${shown(0)}; if it is 10 points worse ${shown(MARGIN)}`;
}
