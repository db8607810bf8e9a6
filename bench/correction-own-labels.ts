import { agreementOf } from '../packages/salvo/src/judge/calibration/calibration-metrics.ts';
import { correctedPassRate } from '../packages/salvo/src/judge/calibration/corrected-pass-rate.ts';
import { doubtOfChance } from '../packages/salvo/src/judge/calibration/doubt.ts';
import { drawTrials } from '../packages/salvo/src/judge/calibration/draw-trials.ts';
import { rateByOwnLabels } from '../packages/salvo/src/judge/calibration/rate-by-own-labels.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import { sampleLabel } from '../test/sample-label.ts';
import { observedIn } from './correction-over-cases.ts';
import { percent } from './coverage-counts.ts';
import { drawBeta } from './random-draws.ts';

const SAMPLES = 200;
/** The other method takes a hundred times as long. */
const SAMPLES_OF_BOTH = 10;
const VOTES = 5;

type Random = () => number;
type Interval = readonly [number, number];

/** How a run and its judge are made. */
interface Design {
  cases: number;
  trials: number;
  labels: number;
  rate: number;
  sensitivity: number;
  specificity: number;
  /** How alike the trials of a case are, and the judge's errors in a case. */
  alike: number;
  errorsAlike: number;
  /** How alike the votes on a trial are. */
  votesAlike: number;
}

interface Trial {
  case: number;
  id: string;
  human: boolean;
  passed: boolean;
  share: number;
}

/**
 * Labels of the run's own trials, drawn as the Labels page does: how often the interval of prediction-powered inference
 * contains the truth and how wide it is, by verdicts and by shares of five votes, beside the correction by the judge's
 * error rates on the same labels. Each line is over true rates, judges, and how alike cases and errors are.
 */
export function correctionByOwnLabels(): string[] {
  const sizes = [
    [1, 200],
    [20, 10],
    [40, 5],
    [100, 3],
  ] as const;
  const lines = sizes.flatMap(([cases, trials]) =>
    [20, 50, 200].map((labels) => `  ${lineOf(designsOf({ cases, trials, labels }))}`),
  );
  return [
    "labels of the run's own trials, prediction-powered (worst design) and by error rates:",
    ...lines,
    'the same by the probabilities of a calibrated judge, and by its verdicts (300 trials):',
    ...[0.2, 0.4, 0.6, 0.8].map((sharp) => `  ${probabilityLine(sharp)}`),
  ];
}

/** `sharp`: 0 if all probabilities are the same, 1 if they are all 0 or 1. */
function probabilityLine(sharp: number): string {
  const random = seededRandom('correction-own-labels', 'probabilities', sharp);
  const counted = { shares: none(), verdicts: none() };
  for (const labels of [50, 100]) {
    for (const rate of [0.6, 0.8, 0.9]) {
      for (let sample = 0; sample < SAMPLES; sample += 1) {
        const trials = Array.from({ length: 300 }, (): Trial => {
          const share = drawBeta(random, { mean: rate, alike: sharp });
          return { case: 0, id: `${random()}`, human: random() < share, passed: share > 0.5, share };
        });
        const labelled = labelledTrials(trials, { cases: 1, labels }, random);
        const byVerdict = byOwnLabels(labelled, (trial) => Number(trial.passed));
        count(
          counted.shares,
          byOwnLabels(labelled, (trial) => trial.share),
          rate,
        );
        count(counted.verdicts, byVerdict, rate);
      }
    }
  }
  const words = ({ held, given, width }: Counts) => `${percent(held / given)}, width ${(width / given).toFixed(3)}`;
  const narrower = 1 - counted.shares.width / counted.verdicts.width;
  return `sharp by ${sharp}: probabilities ${words(counted.shares)}; verdicts ${words(counted.verdicts)}; narrower by ${percent(narrower)}`;
}

function designsOf(size: Pick<Design, 'cases' | 'trials' | 'labels'>): Design[] {
  const judges = [
    { sensitivity: 0.95, specificity: 0.95 },
    { sensitivity: 0.9, specificity: 0.8 },
    { sensitivity: 0.7, specificity: 0.65 },
  ];
  const likeness = [
    { alike: 0, errorsAlike: 0 },
    { alike: 0.3, errorsAlike: 0.3 },
    { alike: 0.6, errorsAlike: 0.5 },
  ];
  return [0.3, 0.7, 0.9, 0.97].flatMap((rate) =>
    judges.flatMap((judge) =>
      (size.cases === 1 ? likeness.slice(0, 1) : likeness).map((alike) => {
        return { ...size, ...judge, ...alike, rate, votesAlike: 0.3 };
      }),
    ),
  );
}

interface Counts {
  asked: number;
  given: number;
  held: number;
  width: number;
}

type Counted = Record<'verdicts' | 'shares' | 'errors' | 'beside', Counts>;

function lineOf(designs: readonly Design[]): string {
  const found = designs.map(simulate);
  const sum = (key: keyof Counted, of: keyof Counts) => found.reduce((total, each) => total + each[key][of], 0);
  const words = (key: keyof Counted) => {
    const held = percent(sum(key, 'held') / sum(key, 'given'));
    const given = percent(sum(key, 'given') / sum(key, 'asked'));
    return `${held}, width ${(sum(key, 'width') / sum(key, 'given')).toFixed(3)}, given in ${given}`;
  };
  const worst = Math.min(...found.map(({ shares }) => (shares.given === 0 ? 1 : shares.held / shares.given)));
  const { cases = 1, trials = 0, labels = 0 } = designs[0] ?? {};
  const name = cases === 1 ? `${trials} trials without data` : `${cases} x ${trials}`;
  return `${name}, ${labels} labels: shares ${words('shares')} (worst ${percent(worst)}); verdicts ${words('verdicts')}; error rates ${words('errors')}, where prediction-powered has width ${(sum('beside', 'width') / sum('beside', 'given')).toFixed(3)}`;
}

function simulate(design: Design): Counted {
  const random = seededRandom('correction-own-labels', ...Object.values(design));
  const counted: Counted = { verdicts: none(), shares: none(), errors: none(), beside: none() };
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const trials = trialsOf(design, random);
    const labelled = labelledTrials(trials, design, random);
    const shares = byOwnLabels(labelled, (trial) => trial.share);
    count(
      counted.verdicts,
      byOwnLabels(labelled, (trial) => Number(trial.passed)),
      design.rate,
    );
    count(counted.shares, shares, design.rate);
    if (sample >= SAMPLES_OF_BOTH) continue;
    const errors = byErrorRates(labelled, design, random);
    count(counted.errors, errors, design.rate);
    if (errors) count(counted.beside, shares, design.rate);
  }
  return counted;
}

function trialsOf(design: Design, random: Random): Trial[] {
  return Array.from({ length: design.cases }, (_, index) => {
    const chance = drawBeta(random, { mean: design.rate, alike: design.alike });
    const sensitivity = drawBeta(random, { mean: design.sensitivity, alike: design.errorsAlike });
    const specificity = drawBeta(random, { mean: design.specificity, alike: design.errorsAlike });
    return Array.from({ length: design.trials }, () => {
      const human = random() < chance;
      const vote = drawBeta(random, { mean: human ? sensitivity : 1 - specificity, alike: design.votesAlike });
      const passing = Array.from({ length: VOTES }, () => random() < vote).filter(Boolean).length;
      return { case: index, id: `${random()}`, human, passed: passing * 2 > VOTES, share: passing / VOTES };
    });
  }).flat();
}

function labelledTrials(trials: readonly Trial[], { cases, labels }: Pick<Design, 'cases' | 'labels'>, random: Random) {
  const order = drawTrials(
    trials.map(({ id, share }) => ({ id, doubt: doubtOfChance(share) })),
    random,
  );
  return trials.map((trial) => {
    const drawn = order.get(trial.id);
    const isLabelled = drawn !== undefined && drawn.position <= labels;
    return {
      ...{ trial, case: cases === 1 ? null : trial.case, counts: true },
      labels: isLabelled ? [sampleLabel({ passed: trial.human, drawn })] : [],
    };
  });
}

type Labelled = ReturnType<typeof labelledTrials>;

function byOwnLabels(labelled: Labelled, probabilityOf: (trial: Trial) => number): Interval | null {
  const found = rateByOwnLabels(labelled.map((each) => ({ ...each, probability: probabilityOf(each.trial) })));
  return found !== null && found.rate !== null ? found.interval : null;
}

/** As a calibration by the same labels would correct the rate of the run. */
function byErrorRates(labelled: Labelled, { cases }: Design, random: Random): Interval | null {
  const observed = observedIn(
    labelled.map(({ trial }) => trial),
    cases,
  );
  const own = labelled.filter(({ labels }) => labels.length > 0);
  const rateUntil = Math.max(...own.flatMap(({ labels }) => labels.map(({ drawn }) => drawn?.at ?? 0)));
  const agreement = agreementOf(
    own.map(({ trial, labels: [label] }) => ({
      human: trial.human,
      judge: { passed: trial.passed, score: null },
      votes: [],
      cluster: cases === 1 ? trial.id : String(trial.case),
      weight: 1 / (1 - Math.exp(-(label?.drawn?.rate ?? 1) * rateUntil)),
    })),
    random,
  );
  const calibration = { overall: agreement, scenarios: [{ scenario: 'x', ...agreement }] };
  return correctedPassRate(calibration, { observed, scenario: 'x' }).interval;
}

function none(): Counts {
  return { asked: 0, given: 0, held: 0, width: 0 };
}

function count(counts: Counts, interval: Interval | null, rate: number): void {
  counts.asked += 1;
  if (!interval) return;
  counts.given += 1;
  counts.width += interval[1] - interval[0];
  if (interval[0] <= rate && rate <= interval[1]) counts.held += 1;
}
