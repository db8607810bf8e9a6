import type { ComparedRun } from '../../packages/salvo/src/run/compare/comparable-trials.ts';
import { compareScenario } from '../../packages/salvo/src/run/compare/compare-scenario.ts';
import { seededRandom } from '../../packages/salvo/src/stats/seeded-random.ts';
import { drawBeta } from '../random-draws.ts';
import { share } from './share.ts';

const DESIGNS = [
  { cases: 1, trials: 20 },
  { cases: 40, trials: 1 },
  { cases: 40, trials: 5 },
];
const PASS_FROM = 0.8;

/** How often equal agents are said to differ by the pass rate, or by the mean score that is mentioned beside it. */
export function scoreAlarms(seeds: number): string[] {
  return DESIGNS.map(({ cases, trials }) => {
    const random = seededRandom('scores', cases, trials);
    const run = (hard: readonly number[]): ComparedRun => ({
      seed: null,
      trials: hard.flatMap((mean, index) =>
        Array.from({ length: trials }, (_, trial) => {
          const score = drawBeta(random, { mean, alike: 0.1 });
          return { case: cases === 1 ? null : String(index), trial: trial + 1, passed: score >= PASS_FROM, score };
        }),
      ),
    });
    let [byRate, byEither] = [0, 0];
    for (let seed = 0; seed < seeds; seed += 1) {
      const hard = Array.from({ length: cases }, () =>
        cases === 1 ? 0.85 : drawBeta(random, { mean: 0.85, alike: 0.1 }),
      );
      const { conclusion, score } = compareScenario(run(hard), run(hard));
      const isChange = conclusion === 'better' || conclusion === 'worse';
      if (isChange) byRate += 1;
      if (isChange || (score?.p_holm ?? 1) < 0.05) byEither += 1;
    }
    return `${cases} x ${trials} with scores: called different ${share(byRate / seeds)} by the pass rate, ${share(byEither / seeds)} by it or the score`;
  });
}
