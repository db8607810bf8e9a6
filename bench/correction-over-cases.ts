import type { EvalResult } from '../packages/salvo/src/evaluators/eval-result.ts';
import { agreementOf } from '../packages/salvo/src/judge/calibration/calibration-metrics.ts';
import { correctedPassRate } from '../packages/salvo/src/judge/calibration/corrected-pass-rate.ts';
import { createJudgeTally } from '../packages/salvo/src/run/tally/judge-tally.ts';
import { judgedRate } from '../packages/salvo/src/run/verdict/judge-calibrations.ts';
import { correctedRate } from '../packages/salvo/src/stats/intervals/corrected-rate.ts';
import { mean } from '../packages/salvo/src/stats/mean.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import { sampleEvalResult } from '../test/sample-trial.ts';
import { percent } from './coverage-counts.ts';
import { drawBeta } from './random-draws.ts';

const SAMPLES = 100;
const JUDGE = { sensitivity: 0.9, specificity: 0.85 };
const TRUE_RATES = [0.5, 0.7, 0.9];

interface Trial {
  case: number;
  human: boolean;
  passed: boolean;
}

/**
 * How often the interval of a corrected rate contains the truth if trials of one case are alike, and how wide it is: 200
 * trials, and labels on 200 trials of another run. `before` took all trials and labels for independent.
 */
export function correctionOverCases(): string[] {
  const designs = [
    { cases: 1, trials: 200, alike: 0 },
    ...[0.3, 0.6].flatMap((alike) => [
      { cases: 40, trials: 5, alike },
      { cases: 20, trials: 10, alike },
      { cases: 10, trials: 20, alike },
    ]),
  ];
  return ['200 trials and 200 labels, judge 0.9/0.85:', ...designs.map((design) => `  ${lineOf(design)}`)];
}

function lineOf(design: { cases: number; trials: number; alike: number }): string {
  const random = seededRandom('correction-over-cases', ...Object.values(design));
  const held = { now: [] as boolean[], before: [] as boolean[], own: [] as boolean[] };
  const widths = { now: [] as number[], before: [] as number[], own: [] as number[] };
  let [asked, narrower] = [0, 0];
  for (const rate of TRUE_RATES) {
    const judged = rate * JUDGE.sensitivity + (1 - rate) * (1 - JUDGE.specificity);
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      asked += 1;
      const [run, labels] = [trialsOf(design, rate, random), trialsOf(design, rate, random)];
      const observed = observedIn(run, design.cases);
      const agreement = agreementOf(
        labels.map((trial, index) => ({
          human: trial.human,
          judge: { passed: trial.passed, score: null },
          votes: [],
          cluster: design.cases === 1 ? String(index) : String(trial.case),
          weight: 1,
        })),
        random,
      );
      const calibration = { overall: agreement, scenarios: [{ scenario: 'x', ...agreement }] };
      const { interval } = correctedPassRate(calibration, { observed, scenario: 'x' });
      const before = naive(run, labels);
      const counted = [
        ['now', interval, rate],
        ['before', before, rate],
        ['own', observed.interval, judged],
      ] as const;
      for (const [name, found, truth] of counted) {
        if (!found) continue;
        held[name].push(found[0] <= truth && truth <= found[1]);
        widths[name].push(found[1] - found[0]);
      }
      if (interval && observed.interval && width(interval) < width(observed.interval) - 1e-9) narrower += 1;
    }
  }
  const words = (name: keyof typeof held) =>
    `${percent(held[name].filter(Boolean).length / held[name].length)} (width ${(mean(widths[name]) ?? 0).toFixed(2)})`;
  const name = design.cases === 1 ? 'without data' : `${design.cases} x ${design.trials}, alike by ${design.alike}`;
  const none = 1 - held.now.length / asked;
  return `${name}: ${words('now')}${none > 0 ? `, none given in ${percent(none)}` : ''}, narrower than the judge's own in ${narrower}; the judge's own ${words('own')}; before ${words('before')}`;
}

function trialsOf(
  { cases, trials, alike }: { cases: number; trials: number; alike: number },
  rate: number,
  random: () => number,
): Trial[] {
  return Array.from({ length: cases }, (_, index) => {
    const chance = drawBeta(random, { mean: rate, alike });
    return Array.from({ length: trials }, () => {
      const human = random() < chance;
      return { case: index, human, passed: random() < (human ? JUDGE.sensitivity : 1 - JUDGE.specificity) };
    });
  }).flat();
}

/** As a run counts them. */
export function observedIn(trials: readonly Pick<Trial, 'case' | 'passed'>[], cases: number) {
  const tally = createJudgeTally({ hasCases: cases > 1 });
  for (const trial of trials) tally.add({ case_index: trial.case, eval_results: [judgement(trial.passed)] });
  const [summary] = tally.judges();
  if (!summary) throw new Error('no trial was judged');
  return judgedRate(summary, { cases: [] });
}

function judgement(passed: boolean): EvalResult {
  return sampleEvalResult({
    ...{ assertion_type: 'judge', assertion_id: 'judge', passed },
    metadata: {
      ...{ judge_model: 'm', judge_adapter: 'a', judge_hash: 'h', threshold: 0.5, votes: [], dissenting_votes: 0 },
      ...{ saved_calls: 0, cached_votes: 0, repaired_votes: 0, retries: 0, panel: null },
    },
  });
}

function naive(run: readonly Trial[], labels: readonly Trial[]) {
  const counted = (of: readonly Trial[], isRight: (trial: Trial) => boolean) => {
    return { passed: of.filter(isRight).length, total: of.length };
  };
  const passing = labels.filter(({ human }) => human);
  const failing = labels.filter(({ human }) => !human);
  return correctedRate({
    observed: counted(run, ({ passed }) => passed),
    sensitivity: counted(passing, ({ passed }) => passed),
    specificity: counted(failing, ({ passed }) => !passed),
  })?.interval;
}

function width([low, high]: readonly [number, number]): number {
  return high - low;
}
