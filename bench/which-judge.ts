import { compareJudges } from '../packages/salvo/src/judge/which/compare-judges.ts';
import type { ComparedJudgeRow, JudgeComparison } from '../packages/salvo/src/judge/which/judge-comparison.ts';
import { mean } from '../packages/salvo/src/stats/mean.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import {
  drawSample,
  type SimulatedJudge,
  type SimulatedLabels,
  type SimulatedSample,
  truthOf,
} from '../test/simulated-judges.ts';

const SAMPLES = 600;

/** Two judges of equal skill, one too sure; a weaker one; votes; and one that guesses. */
const JUDGES: readonly SimulatedJudge[] = [
  { name: 'calibrated', skill: 1.2, sureness: 1 },
  { name: 'too sure', skill: 1.2, sureness: 4 },
  { name: 'weaker', skill: 0.7, sureness: 1 },
  { name: 'five votes', skill: 1.2, sureness: 1, votes: 5 },
];

const DESIGNS: readonly SimulatedLabels[] = [
  { answers: 40, perCase: 1, rate: 0.5, alike: 0 },
  { answers: 40, perCase: 1, rate: 0.8, alike: 0 },
  { answers: 100, perCase: 1, rate: 0.85, alike: 0 },
  { answers: 250, perCase: 1, rate: 0.7, alike: 0 },
  { answers: 120, perCase: 4, rate: 0.6, alike: 0.5 },
  { answers: 60, perCase: 5, rate: 0.6, alike: 0.5 },
];

/**
 * How often each interval of `salvo calibrate --judges` contains the truth, with its width beside that of a normal
 * interval whose standard error is known (the spread of the estimate over the samples). How often tests and sentences
 * find what is not there, and what is.
 */
export async function benchWhichJudge(): Promise<string[]> {
  return DESIGNS.flatMap((design) => [
    `${design.answers} answers, ${design.perCase} a case, ${100 * design.rate}% pass:`,
    ...coverageLines(design).map((line) => `  ${line}`),
    `  ${alarmLine(design)}`,
  ]);
}

type Estimate = { value: number | null; interval: readonly [number, number] | null; truth: number };

function coverageLines(design: SimulatedLabels): string[] {
  const random = seededRandom('which-judge', JSON.stringify(design));
  const found = new Map<string, Estimate[]>();
  const sentences = { notCalibrated: [0, 0], lessOften: [0, 0], asWell: 0, wronglyAsWell: 0 };
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const drawn = drawSample(design, JUDGES, random);
    const compared = compare(drawn, sample);
    for (const [name, estimate] of estimatesOf(drawn, compared, design)) {
      found.set(name, [...(found.get(name) ?? []), estimate]);
    }
    const says = (index: number, words: string) =>
      Number(compared.judges[index]?.sentences.some((sentence) => sentence.includes(words)) ?? false);
    sentences.notCalibrated[0] = (sentences.notCalibrated[0] ?? 0) + says(1, 'not calibrated');
    sentences.notCalibrated[1] = (sentences.notCalibrated[1] ?? 0) + says(0, 'not calibrated');
    sentences.lessOften[0] = (sentences.lessOften[0] ?? 0) + says(2, 'less often');
    sentences.lessOften[1] =
      (sentences.lessOften[1] ?? 0) +
      Number(compared.reference !== 'weaker' && (says(0, 'less often') > 0 || says(1, 'less often') > 0));
    sentences.wronglyAsWell += says(2, 'as well as') && !says(2, 'too few') ? 1 : 0;
  }
  const percent = (count = 0) => `${((100 * count) / SAMPLES).toFixed(1)}%`;
  return [
    ...[...found].map(([name, estimates]) => `${name.padEnd(22)} ${coverageWords(estimates)}`),
    `"not calibrated" of the judge that is too sure ${percent(sentences.notCalibrated[0])}, of the calibrated one ${percent(sentences.notCalibrated[1])}`,
    `"less often" of the weaker judge ${percent(sentences.lessOften[0])}, of one as good as the best ${percent(sentences.lessOften[1])}; "as well as" of the weaker ${percent(sentences.wronglyAsWell)}`,
  ];
}

function compare({ answers, judges }: SimulatedSample, seed: number): JudgeComparison {
  return compareJudges({ answers, judges, threshold: 0.5, lines: answers.length, notes: [], seed });
}

function* estimatesOf(
  { posteriors, judges }: SimulatedSample,
  compared: JudgeComparison,
  { rate }: SimulatedLabels,
): Generator<[string, Estimate]> {
  for (const [index, judge] of JUDGES.entries()) {
    const row = compared.judges[index];
    if (!row || judge.votes !== undefined) continue;
    const truth = truthOf(judge, { rate });
    const own = (name: string): string => `${name} (${judge.name})`;
    if (index !== 1) {
      yield [own('kappa'), { value: row.kappa, interval: row.kappa_ci, truth: truth.kappa }];
      yield [
        own('sensitivity'),
        { value: row.sensitivity.rate, interval: row.sensitivity.ci, truth: truth.sensitivity },
      ];
      yield [
        own('specificity'),
        { value: row.specificity.rate, interval: row.specificity.ci, truth: truth.specificity },
      ];
      yield [own('agreement'), { value: row.agreement.rate, interval: row.agreement.ci, truth: truth.agreement }];
      yield [own('auroc'), { value: row.auroc, interval: row.auroc_ci, truth: truth.auroc }];
      const { fitted } = row;
      if (fitted) {
        const rates = fitted.thresholds.map((threshold) => truthOf(judge, { rate, threshold }).agreement);
        yield [
          own('fitted agreement'),
          { value: fitted.agreement, interval: fitted.agreement_ci, truth: mean(rates) ?? 0 },
        ];
      }
    }
    yield* probabilityEstimates(row, { own, judge, posterior: posteriors[index] ?? [], judges, index, rate });
  }
  for (const { first, second, difference: value, ci: interval } of compared.pairs) {
    const [one, other] = [first, second].map((name) => JUDGES.find((judge) => judge.name === name));
    if (!one || !other || one.votes !== undefined || other.votes !== undefined) continue;
    const truth = truthOf(one, { rate }).agreement - truthOf(other, { rate }).agreement;
    yield [`${first} - ${second}`, { value, interval, truth }];
  }
}

function* probabilityEstimates(
  { reliability }: ComparedJudgeRow,
  context: {
    own: (name: string) => string;
    judge: SimulatedJudge;
    posterior: readonly number[];
    judges: SimulatedSample['judges'];
    index: number;
    rate: number;
  },
): Generator<[string, Estimate]> {
  if (!reliability) return;
  const { own, judge, posterior, judges, index, rate } = context;
  const said = judges[index]?.verdicts.map((verdict) => verdict?.probability ?? 0) ?? [];
  const inBin = (at: number, [low, high]: readonly [number, number]) =>
    (said[at] ?? -1) >= low && (said[at] ?? 2) <= high;
  let error = 0;
  for (const [number, bin] of reliability.bins.entries()) {
    const members = [...posterior.keys()].filter((at) => inBin(at, bin.range));
    const truth = mean(members.map((at) => posterior[at] ?? 0)) ?? 0;
    error += (members.length / posterior.length) * Math.abs(truth - bin.said);
    if (number === 0 || number === reliability.bins.length - 1) {
      yield [own(number === 0 ? 'lowest bin' : 'highest bin'), { value: bin.observed, interval: bin.ci, truth }];
    }
  }
  yield [
    own('ECE'),
    { value: reliability.calibration_error, interval: reliability.calibration_error_ci, truth: error },
  ];
  yield [own('Brier'), { value: reliability.brier, interval: reliability.brier_ci, truth: brierOf(judge, rate) }];
}

const briers = new Map<string, number>();

/** By a large sample. */
function brierOf(judge: SimulatedJudge, rate: number): number {
  const key = JSON.stringify([judge, rate]);
  const known = briers.get(key);
  if (known !== undefined) return known;
  const many = { answers: 400_000, perCase: 1, rate, alike: 0 };
  const { answers, judges } = drawSample(many, [judge], seededRandom('brier', key));
  const squares = answers.map(
    ({ human }, index) => ((judges[0]?.verdicts[index]?.probability ?? 0) - Number(human)) ** 2,
  );
  const brier = mean(squares) ?? 0;
  briers.set(key, brier);
  return brier;
}

function coverageWords(estimates: readonly Estimate[]): string {
  const known = estimates.flatMap(({ value, interval, truth }) =>
    value === null || interval === null ? [] : [{ value, interval, truth }],
  );
  const covered = known.filter(({ interval: [low, high], truth }) => low <= truth && truth <= high).length;
  const width = mean(known.map(({ interval: [low, high] }) => high - low)) ?? 0;
  const errors = known.map(({ value, truth }) => value - truth);
  const centre = mean(errors) ?? 0;
  const deviation = Math.sqrt(mean(errors.map((error) => (error - centre) ** 2)) ?? 0);
  const share = ((100 * covered) / known.length).toFixed(1);
  return `coverage ${share}%, width ${width.toFixed(3)} (known error ${(2 * 1.96 * deviation).toFixed(3)})`;
}

/** Judges that are all alike: every difference that is found is a false alarm. */
function alarmLine(design: SimulatedLabels): string {
  const random = seededRandom('which-judge alarms', JSON.stringify(design));
  const alike = ['a', 'b', 'c'].map((name) => ({ name, skill: 1, sureness: 1 }));
  const alarms = { pairs: 0, single: 0, thresholds: 0, calibration: 0 };
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const compared = compare(drawSample(design, alike, random), sample);
    alarms.pairs += Number(compared.pairs.some(({ p_holm }) => p_holm < 0.05));
    alarms.single += Number((compared.pairs[0]?.p ?? 1) < 0.05);
    alarms.thresholds += Number(
      compared.judges.some(({ fitted }) => (fitted?.gain.p_holm ?? 1) < 0.05 && (fitted?.gain.difference ?? 0) > 0),
    );
    alarms.calibration += Number(compared.judges[0]?.sentences.some((each) => each.includes('not calibrated')));
  }
  const percent = (count: number) => `${((100 * count) / SAMPLES).toFixed(1)}%`;
  return `false alarms of three equal judges: any pair ${percent(alarms.pairs)}, one pair ${percent(alarms.single)}, any threshold ${percent(alarms.thresholds)}, calibration ${percent(alarms.calibration)}`;
}
