import type { AskedJudge, JudgeVerdict, LabelledAnswer } from '../packages/salvo/src/judge/which/compare-judges.ts';
import { normalTail } from '../packages/salvo/src/stats/normal.ts';

type Random = () => number;

/** How a simulated judge errs. */
export interface SimulatedJudge {
  name: string;
  /** How well it can tell answers that people pass from those they fail: 0 guesses. */
  skill: number;
  /** What it says is its odds to this power: 1 is calibrated, above 1 too sure. */
  sureness: number;
  /** Added to the logarithm of the odds that it says: below 0 it is too strict. */
  shift?: number;
  /** Votes instead of probabilities: each has noise of its own. */
  votes?: number;
  /** The share of answers that it cannot score. */
  refuses?: number;
  usd?: number;
}

export interface SimulatedLabels {
  answers: number;
  /** Answers of one case: 1 if each is of its own. */
  perCase: number;
  /** The share that people pass. */
  rate: number;
  /** How much of a judge's noise is the same for all answers of a case. */
  alike: number;
}

export interface SimulatedSample {
  answers: LabelledAnswer[];
  judges: AskedJudge[];
  /** For each judge, how likely people pass each answer, given what the judge saw. */
  posteriors: number[][];
}

/** Labels and verdicts whose truth is known: a judge sees the verdict of people through noise. */
export function drawSample(
  labels: SimulatedLabels,
  judges: readonly SimulatedJudge[],
  random: Random,
): SimulatedSample {
  const answers = Array.from({ length: labels.answers }, (_, index) => ({
    human: random() < labels.rate,
    cluster: `case ${Math.floor(index / labels.perCase)}`,
  }));
  const drawn = judges.map((judge) => drawJudge(judge, { labels, answers, random }));
  return { answers, judges: drawn.map(({ asked }) => asked), posteriors: drawn.map(({ posterior }) => posterior) };
}

function drawJudge(
  judge: SimulatedJudge,
  { labels, answers, random }: { labels: SimulatedLabels; answers: readonly LabelledAnswer[]; random: Random },
): { asked: AskedJudge; posterior: number[] } {
  const { name, skill, sureness, shift = 0, votes, refuses = 0, usd = 0.01 } = judge;
  const ofCase = new Map<string, number>();
  const signals = answers.map(({ human, cluster }) => {
    const shared = ofCase.get(cluster) ?? drawNormal(random);
    ofCase.set(cluster, shared);
    const noise = Math.sqrt(labels.alike) * shared + Math.sqrt(1 - labels.alike) * drawNormal(random);
    return (human ? skill : -skill) + noise;
  });
  const odds = signals.map((signal) => oddsOf(signal, judge, labels.rate));
  const verdicts = odds.map((each): JudgeVerdict | null => {
    if (random() < refuses) return null;
    if (votes === undefined) {
      const said = sigmoid(sureness * each + shift);
      return { passed: said > 0.5, score: said, probability: said };
    }
    const cast = Array.from({ length: votes }, () => each + drawNormal(random) > 0);
    const share = cast.filter(Boolean).length / votes;
    return { passed: share > 0.5, score: share, probability: votes > 1 ? share : null };
  });
  const scored = verdicts.filter((each) => each !== null);
  return {
    posterior: odds.map(sigmoid),
    asked: {
      ...{ name, judge_adapter: 'simulated', judge_model: name, k: votes ?? 1, verdicts, unscoredBecause: null },
      mode: votes === undefined ? 'decide' : 'chat',
      paid: scored.map(() => ({ usd, seconds: 1 })),
      cached: 0,
      cost: { usd: usd * scored.length },
    },
  };
}

/** The logarithm of the odds that people pass an answer. */
function oddsOf(signal: number, { skill }: SimulatedJudge, rate: number): number {
  return Math.log(rate / (1 - rate)) + 2 * skill * signal;
}

/** The truth about a judge with probabilities whose threshold is at this probability. */
export function truthOf(
  { skill, sureness, shift = 0 }: SimulatedJudge,
  { rate, threshold = 0.5 }: { rate: number; threshold?: number },
) {
  const odds = (Math.log(threshold / (1 - threshold)) - shift) / sureness;
  const cut = skill === 0 ? Number.NEGATIVE_INFINITY : (odds - Math.log(rate / (1 - rate))) / (2 * skill);
  const sensitivity = normalTail(cut - skill);
  const specificity = 1 - normalTail(cut + skill);
  const agreement = rate * sensitivity + (1 - rate) * specificity;
  const passes = rate * sensitivity + (1 - rate) * (1 - specificity);
  const byChance = rate * passes + (1 - rate) * (1 - passes);
  const kappa = (agreement - byChance) / (1 - byChance);
  return { sensitivity, specificity, agreement, kappa, auroc: 1 - normalTail(Math.SQRT2 * skill) };
}

function sigmoid(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
