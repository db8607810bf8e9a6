import { compareJudges } from '../packages/salvo/src/judge/which/compare-judges.ts';
import type { ComparedJudgeRow, JudgeComparison } from '../packages/salvo/src/judge/which/judge-comparison.ts';
import { wilsonInterval } from '../packages/salvo/src/stats/intervals/wilson-interval.ts';
import { mean } from '../packages/salvo/src/stats/mean.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import {
  drawSample,
  type SimulatedJudge,
  type SimulatedLabels,
  type SimulatedSample,
  truthOf,
} from '../test/simulated-judges.ts';
import { labelsMissingLines } from './labels-missing.ts';
import { recalibrationLines } from './recalibration.ts';

/** Large samples take longer and are as good. `--quick` draws a fifth. */
const SAMPLES = new Map([
  [20, 1000],
  [60, 800],
  [200, 400],
  [500, 200],
]);
const isQuick = process.argv.includes('--quick');

/** Two judges of equal skill, one too sure; one too strict; a weaker one; and votes. */
const JUDGES: readonly SimulatedJudge[] = [
  { name: 'calibrated', skill: 1.2, sureness: 1 },
  { name: 'too sure', skill: 1.2, sureness: 4 },
  { name: 'too strict', skill: 1.2, sureness: 1, shift: -2 },
  { name: 'weaker', skill: 0.6, sureness: 1 },
  { name: 'five votes', skill: 1.2, sureness: 1, votes: 5 },
];

const DESIGNS: readonly SimulatedLabels[] = [...SAMPLES.keys()].flatMap((answers) =>
  [0.5, 0.9].flatMap((rate) => [
    { answers, perCase: 1, rate, alike: 0 },
    { answers, perCase: 4, rate, alike: 0.5 },
  ]),
);

/**
 * How often each interval of `salvo calibrate --judges` contains the truth, with its width beside that of a normal
 * interval whose standard error is known (the spread of the estimate over the samples). How often tests and sentences
 * find what is not there, and what is. Whether the number of labels that are said to be missing is enough, and what
 * recalibration does to fresh answers.
 */
export async function benchWhichJudge(): Promise<string[]> {
  const found = DESIGNS.map(simulate);
  return [
    'coverage of 95% intervals: the mean over judges and designs, the worst, and the width beside a known error',
    ...coverageLines(found).map((line) => `  ${line}`),
    'how often judges are named: of too few labels nothing is said',
    ...found.flatMap(({ design, words }) => [`  ${nameOf(design)}: ${words}`]),
    ...labelsMissingLines(isQuick ? 8 : 40),
    ...recalibrationLines(isQuick ? 20 : 100),
  ];
}

function nameOf({ answers, perCase, rate }: SimulatedLabels): string {
  return `${answers} answers, ${perCase} a case, ${100 * rate}% pass`;
}

type Estimate = { value: number; interval: readonly [number, number]; truth: number };
type Simulated = { design: SimulatedLabels; estimates: Map<string, Estimate[]>; words: string };

function simulate(design: SimulatedLabels): Simulated {
  const random = seededRandom('which-judge', JSON.stringify(design));
  const samples = Math.ceil((SAMPLES.get(design.answers) ?? 100) / (isQuick ? 5 : 1));
  const estimates = new Map<string, Estimate[]>();
  const counts = new Map<string, number>();
  const count = (name: string, is: boolean) => counts.set(name, (counts.get(name) ?? 0) + Number(is));
  let drawn = 0;
  while (drawn < samples) {
    const sample = drawSample(design, JUDGES, random);
    // Labels of one kind are refused.
    if (new Set(sample.answers.map(({ human }) => human)).size < 2) continue;
    drawn += 1;
    const compared = compareJudges({ ...sample, threshold: 0.5, lines: design.answers, notes: [], seed: drawn });
    for (const [name, estimate] of estimatesOf(sample, compared, design)) {
      estimates.set(name, [...(estimates.get(name) ?? []), estimate]);
    }
    countNames(compared, count);
  }
  const words = [...counts].map(([name, found]) => `${name} ${((100 * found) / samples).toFixed(1)}%`).join(', ');
  return { design, estimates, words };
}

function countNames({ judges, pairs, reference }: JudgeComparison, count: (name: string, is: boolean) => void): void {
  const says = (name: string, words: string) =>
    judges.find((judge) => judge.name === name)?.sentences.some((sentence) => sentence.includes(words)) ?? false;
  count('too sure: "not calibrated"', says('too sure', 'not calibrated'));
  count('as "too sure"', says('too sure', '; too sure'));
  count('too strict: "not calibrated"', says('too strict', 'not calibrated'));
  count('as "too low"', says('too strict', '; too low'));
  count('weaker: "less often"', says('weaker', 'less often'));
  count(
    'weaker: wrongly "as well as"',
    reference !== 'weaker' && says('weaker', 'as well as') && !says('weaker', 'too few'),
  );
  count('FALSE ALARMS: calibrated called "not calibrated"', says('calibrated', 'not calibrated'));
  const alike = pairs.find(({ first, second }) => first === 'calibrated' && second === 'too sure');
  count('equal judges told apart (p)', (alike?.p ?? 1) < 0.05);
  const fitted = judges.find(({ name }) => name === 'calibrated')?.fitted;
  count('a better threshold where there is none', (fitted?.gain.p ?? 1) < 0.05 && (fitted?.gain.difference ?? 0) > 0);
}

function* estimatesOf(
  { posteriors, judges }: SimulatedSample,
  compared: JudgeComparison,
  { rate }: SimulatedLabels,
): Generator<[string, Estimate]> {
  const given = (value: number | null, interval: readonly [number, number] | null, truth: number) =>
    value === null || interval === null ? null : { value, interval, truth };
  for (const [index, judge] of JUDGES.entries()) {
    const row = compared.judges[index];
    if (!row) continue;
    const truth = truthByDraw(judge, rate);
    const fits = row.fitted?.thresholds.map((threshold) => truthOf(judge, { rate, threshold }).agreement) ?? [];
    const found = {
      agreement: given(row.agreement.rate, row.agreement.ci, truth.agreement),
      kappa: given(row.kappa, row.kappa_ci, truth.kappa),
      sensitivity: given(row.sensitivity.rate, row.sensitivity.ci, truth.sensitivity),
      specificity: given(row.specificity.rate, row.specificity.ci, truth.specificity),
      AUROC: judge.votes === undefined ? given(row.auroc, row.auroc_ci, truth.auroc) : null,
      'fitted agreement':
        row.fitted && judge.votes === undefined
          ? given(row.fitted.agreement, row.fitted.agreement_ci, mean(fits) ?? 0)
          : null,
    };
    for (const [name, estimate] of Object.entries(found)) if (estimate) yield [`${name}, ${judge.name}`, estimate];
    if (judge.votes === undefined) {
      const said = judges[index]?.verdicts.map((verdict) => verdict?.probability ?? 0) ?? [];
      const known = { judge, said, posterior: posteriors[index] ?? [], brier: truth.brier };
      yield* probabilityEstimates(row, known);
    }
  }
  for (const { first, second, difference: value, ci: interval } of compared.pairs) {
    const [one, other] = [first, second].map((name) => JUDGES.find((judge) => judge.name === name));
    if (!one || !other) continue;
    const truth = truthByDraw(one, rate).agreement - truthByDraw(other, rate).agreement;
    yield [`difference, ${first} - ${second}`, { value, interval, truth }];
  }
}

function* probabilityEstimates(
  { reliability }: ComparedJudgeRow,
  known: { judge: SimulatedJudge; said: readonly number[]; posterior: readonly number[]; brier: number },
): Generator<[string, Estimate]> {
  if (!reliability) return;
  const { judge, said, posterior, brier: truth } = known;
  let [error, isJoint] = [0, true];
  for (const { range, said: claimed, observed, ci, joint_ci } of reliability.bins) {
    const members = [...posterior.keys()].filter((at) => (said[at] ?? -1) >= range[0] && (said[at] ?? 2) <= range[1]);
    const right = mean(members.map((at) => posterior[at] ?? 0)) ?? 0;
    error += (members.length / posterior.length) * Math.abs(right - claimed);
    isJoint &&= joint_ci[0] <= right && right <= joint_ci[1];
    yield [`a bin, ${judge.name}`, { value: observed, interval: ci, truth: right }];
  }
  const { calibration_error, calibration_error_ci, brier, brier_ci } = reliability;
  yield [`all bins jointly, ${judge.name}`, { value: 0, interval: isJoint ? [0, 0] : [1, 1], truth: 0 }];
  yield [
    `calibration error, ${judge.name}`,
    { value: calibration_error, interval: calibration_error_ci, truth: error },
  ];
  if (brier_ci) yield [`Brier, ${judge.name}`, { value: brier, interval: brier_ci, truth }];
}

type Truth = ReturnType<typeof truthOf> & { brier: number };
const truths = new Map<string, Truth>();

/** Of votes, and the Brier score, by a large sample. */
function truthByDraw(judge: SimulatedJudge, rate: number): Truth {
  const key = JSON.stringify([judge, rate]);
  const known = truths.get(key);
  if (known) return known;
  const many = { answers: 300_000, perCase: 1, rate, alike: 0 };
  const { answers, judges } = drawSample(many, [judge], seededRandom('truth', key));
  const verdicts = answers.map(({ human }, index) => ({ human, ...judges[0]?.verdicts[index] }));
  const shareOf = (of: typeof verdicts, is: (each: (typeof verdicts)[number]) => boolean) =>
    of.filter(is).length / of.length;
  const brier = mean(verdicts.map(({ human, probability }) => ((probability ?? 0) - Number(human)) ** 2)) ?? 0;
  const sensitivity = shareOf(
    verdicts.filter(({ human }) => human),
    ({ passed }) => passed === true,
  );
  const specificity = shareOf(
    verdicts.filter(({ human }) => !human),
    ({ passed }) => passed === false,
  );
  const agreement = rate * sensitivity + (1 - rate) * specificity;
  const passes = rate * sensitivity + (1 - rate) * (1 - specificity);
  const byChance = rate * passes + (1 - rate) * (1 - passes);
  const drawn = { sensitivity, specificity, agreement, kappa: (agreement - byChance) / (1 - byChance), auroc: 0 };
  const truth = { ...(judge.votes === undefined ? truthOf(judge, { rate }) : drawn), brier };
  truths.set(key, truth);
  return truth;
}

/** An interval of few samples is not counted: labels of both kinds are rare in some designs. */
const FEWEST = 20;

function coverageLines(found: readonly Simulated[]): string[] {
  const all = found.flatMap(({ design, estimates }) =>
    [...estimates].flatMap(([name, own]) => (own.length < FEWEST ? [] : [{ name, design, ...coverageOf(own) }])),
  );
  const groups = Map.groupBy(all, ({ name }) => name.split(',')[0] ?? '');
  return [...groups].map(([name, group]) => {
    const [worst] = group.toSorted((a, b) => a.covered - b.covered);
    const of = (key: 'covered' | 'width' | 'known') => mean(group.map((each) => each[key])) ?? 0;
    // Of few samples, some designs are below 93% by luck.
    const low = group.filter(
      ({ covered, samples }) => (wilsonInterval({ passed: covered * samples, total: samples })?.[1] ?? 1) < 0.93,
    );
    return [
      `${name.padEnd(18)} ${percent(of('covered'))}, worst ${percent(worst?.covered ?? 0)}`,
      `(${worst?.name.split(', ')[1]}; ${worst && nameOf(worst.design)}; ${worst?.samples} samples), ${low.length} of ${group.length} below 93% beyond chance,`,
      `width ${of('width').toFixed(3)} (known error ${of('known').toFixed(3)})`,
    ].join(' ');
  });
}

function coverageOf(estimates: readonly Estimate[]) {
  const covered = estimates.filter(({ interval: [low, high], truth }) => low <= truth && truth <= high).length;
  const errors = estimates.map(({ value, truth }) => value - truth);
  const centre = mean(errors) ?? 0;
  const deviation = Math.sqrt(mean(errors.map((error) => (error - centre) ** 2)) ?? 0);
  return {
    covered: covered / estimates.length,
    samples: estimates.length,
    width: mean(estimates.map(({ interval: [low, high] }) => high - low)) ?? 0,
    known: 2 * 1.96 * deviation,
  };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
