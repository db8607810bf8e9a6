import { agreementOf, labelledOf } from '../packages/salvo/src/judge/calibration/calibration-metrics.ts';
import type { Agreement } from '../packages/salvo/src/judge/calibration/calibration-record.ts';
import { calibrationVerdict } from '../packages/salvo/src/judge/calibration/calibration-verdict.ts';
import { correctedPassRate } from '../packages/salvo/src/judge/calibration/corrected-pass-rate.ts';
import { drawTrials, drawWeights } from '../packages/salvo/src/judge/calibration/draw-trials.ts';
import { joinCopies, samplePlaces } from '../packages/salvo/src/judge/calibration/sample-places.ts';
import { wilsonInterval } from '../packages/salvo/src/stats/intervals/wilson-interval.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import { sampleLabel } from '../test/sample-label.ts';
import { createCoverage, percent, ppiWidth } from './coverage-counts.ts';
import { drawBeta } from './random-draws.ts';

const SAMPLES = 400;
const VOTES = 3;
type Random = () => number;

/** A trial that was judged by three votes. */
interface Judged {
  case: string | null;
  /** The same for copies. */
  answer: string;
  human: boolean;
  votes: boolean[];
  passed: boolean;
}

/** How often the judge is right on what people pass, and on what they fail. */
interface Judge {
  sensitivity: number;
  specificity: number;
}

/**
 * How often the intervals of a calibration contain the truth: with labels that the Labels page draws (half by doubt),
 * with trials of few cases on which the judge errs alike, and with copies of answers. `first` takes the most doubtful
 * trials for a random sample, as earlier versions did.
 */
export async function benchCalibrationCoverage(): Promise<string[]> {
  const judges: [Judge, rate: number, labels: number][] = [
    [{ sensitivity: 0.92, specificity: 0.87 }, 0.9, 50],
    [{ sensitivity: 0.92, specificity: 0.87 }, 0.9, 100],
    [{ sensitivity: 0.96, specificity: 0.92 }, 0.5, 100],
    [{ sensitivity: 0.9, specificity: 0.85 }, 0.8, 100],
  ];
  return [
    ...judges.flatMap(([judge, rate, labels]) => drawnLines(judge, rate, labels)),
    ...[60, 20, 12, 6].flatMap((cases) => caseLines(cases)),
    ...copyLines(),
  ];
}

const TRIALS = 300;

function drawnLines(judge: Judge, rate: number, labels: number): string[] {
  const name = `judge ${judge.sensitivity}/${judge.specificity}, ${percent(rate)} pass, ${labels} of ${TRIALS} labelled`;
  const designs = { drawn: drawn(labels), random: uniform(labels), first: doubtfulFirst(labels) };
  return [
    `${name}:`,
    ...Object.entries(designs).map(([design, choose]) => {
      const random = seededRandom('calibration-coverage', name, design);
      const covered = createCoverage({ ...judge, kappa: kappaOf(judge, rate), corrected: rate });
      const verdicts: string[] = [];
      for (let sample = 0; sample < SAMPLES; sample += 1) {
        const trials = Array.from({ length: TRIALS }, (_, index) => trialOf(judge, rate, random, `${sample} ${index}`));
        const { agreement, labelled } = calibrated(choose(trials, random), random);
        verdicts.push(calibrationVerdict(agreement).verdict);
        covered.add(agreement);
        const passed = trials.filter((trial) => trial.passed).length;
        const observed = {
          rate: passed / TRIALS,
          worth: TRIALS,
          interval: wilsonInterval({ passed, total: TRIALS }),
        };
        const calibration = { overall: agreement, scenarios: [{ scenario: null, ...agreement }] };
        covered.addCorrected(correctedPassRate(calibration, { observed, scenario: 'x' }).interval, {
          alone: wilsonInterval({ passed: labelled.filter((trial) => trial.human).length, total: labelled.length }),
          ppi: ppiWidth(labelled, trials),
        });
      }
      return `  ${design.padEnd(6)} ${covered.words({ hasReference: design === 'random' })}; ${verdictWords(verdicts)}`;
    }),
  ];
}

/** The judge errs by case: 60 labels of fewer and fewer cases. */
function caseLines(cases: number): string[] {
  const line = (judge: Judge, isClustered: boolean) => {
    const random = seededRandom('calibration-coverage', cases, judge.sensitivity, Number(isClustered));
    const covered = createCoverage({ ...judge, kappa: kappaOf(judge, 0.6), corrected: null });
    const verdicts: string[] = [];
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const trials = Array.from({ length: cases }, (_, index) => {
        const own = {
          sensitivity: drawBeta(random, { mean: judge.sensitivity, alike: 0.5 }),
          specificity: drawBeta(random, { mean: judge.specificity, alike: 0.5 }),
        };
        const rate = drawBeta(random, { mean: 0.6, alike: 0.3 });
        return Array.from({ length: 60 / cases }, (__, trial) => ({
          ...trialOf(own, rate, random, `${index} ${trial}`),
          case: isClustered ? String(index) : null,
        }));
      }).flat();
      const { agreement } = calibrated({ trials }, random);
      covered.add(agreement);
      verdicts.push(calibrationVerdict(agreement).verdict);
    }
    return `kappa ${kappaOf(judge, 0.6).toFixed(2)}: ${covered.words()}; ${verdictWords(verdicts)}`;
  };
  const [good, bad] = [
    { sensitivity: 0.9, specificity: 0.85 },
    { sensitivity: 0.6, specificity: 0.55 },
  ];
  return [
    `60 labels of ${cases} cases, the judge errs by case:`,
    `  ${line(good, true)}`,
    `  ${line(bad, true)}`,
    `  before: ${line(bad, false)}`,
  ];
}

/** Sixty labels of twenty answers, each of which is there three times: the judge says the same of each copy. */
function copyLines(): string[] {
  const judge = { sensitivity: 0.9, specificity: 0.85 };
  const line = (isJoined: boolean) => {
    const random = seededRandom('calibration-coverage', 'copies', Number(isJoined));
    const covered = createCoverage({ ...judge, kappa: kappaOf(judge, 0.6), corrected: null });
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const answers = Array.from({ length: 20 }, (_, index) => trialOf(judge, 0.6, random, String(index)));
      const trials = [0, 1, 2].flatMap((copy) =>
        answers.map((each) => (isJoined ? each : { ...each, answer: `${copy} ${each.answer}` })),
      );
      covered.add(calibrated({ trials }, random).agreement);
    }
    return covered.words();
  };
  return ['60 labels of 20 answers, three copies of each:', `  ${line(true)}`, `  before: ${line(false)}`];
}

interface Chosen {
  trials: readonly Judged[];
  weights?: readonly (number | null)[] | undefined;
}

function calibrated({ trials, weights = [] }: Chosen, random: Random) {
  const places = samplePlaces(
    trials.map((trial, index) => ({ ...trial, scenario: null, task: null, weight: weights[index] ?? null })),
  );
  const comparisons = trials.map(({ human, passed, votes }, index) => ({
    human: { passed: human, score: null },
    judge: { passed, score: null },
    votes: [votes],
    sample: places[index],
  }));
  const agreement: Agreement = agreementOf(labelledOf(joinCopies(comparisons)), random);
  return { agreement, labelled: trials };
}

/** As the Labels page draws them. */
function drawn(count: number) {
  return (trials: readonly Judged[], random: Random): Chosen => {
    const run = String(random());
    const order = drawTrials(trials.map((trial) => ({ id: `${run} ${trial.answer}`, doubt: doubtOf(trial) })));
    const chosen = trials.flatMap((trial) => {
      const draw = order.get(`${run} ${trial.answer}`);
      return draw && draw.position <= count ? [{ trial, draw }] : [];
    });
    const { weights } = drawWeights(chosen.map(({ draw }) => [sampleLabel({ drawn: draw })]));
    return { trials: chosen.map(({ trial }) => trial), weights };
  };
}

function uniform(count: number) {
  return (trials: readonly Judged[]): Chosen => ({ trials: trials.slice(0, count) });
}

function doubtfulFirst(count: number) {
  return (trials: readonly Judged[]): Chosen => ({
    trials: trials.toSorted((a, b) => doubtOf(b) - doubtOf(a)).slice(0, count),
  });
}

function doubtOf({ votes, passed }: Judged): number {
  const differing = votes.filter((vote) => vote !== passed).length / votes.length;
  return differing > 0 ? 0.5 + differing : 0;
}

/** Votes err independently of each other, so often that their majority errs as often as the judge does. */
function trialOf(judge: Judge, rate: number, random: Random, answer: string): Judged {
  const human = random() < rate;
  const right = voteChance(human ? judge.sensitivity : judge.specificity);
  const votes = Array.from({ length: VOTES }, () => random() < right === human);
  return { case: null, answer, human, votes, passed: votes.filter(Boolean).length * 2 > VOTES };
}

/** The chance of one vote to be right, from that of the majority of three. */
function voteChance(majority: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (middle ** 2 * (3 - 2 * middle) < majority) low = middle;
    else high = middle;
  }
  return low;
}

function kappaOf({ sensitivity, specificity }: Judge, rate: number): number {
  const passed = rate * sensitivity + (1 - rate) * (1 - specificity);
  const agreed = rate * sensitivity + (1 - rate) * specificity;
  const byChance = rate * passed + (1 - rate) * (1 - passed);
  return (agreed - byChance) / (1 - byChance);
}

function verdictWords(verdicts: readonly string[]): string {
  const share = (verdict: string) => percent(verdicts.filter((each) => each === verdict).length / verdicts.length);
  return `usable ${share('usable')}, no better than chance ${share('no better than chance')}`;
}
