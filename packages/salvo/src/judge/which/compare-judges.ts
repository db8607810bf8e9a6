import { aurocEstimate } from '../../stats/agreement/auroc.ts';
import { clusterRate } from '../../stats/agreement/cluster-rate.ts';
import { reliabilityOf } from '../../stats/agreement/reliability.ts';
import type { Cost } from '../../stats/cost.ts';
import { correctedWilsonInterval } from '../../stats/intervals/wilson-interval.ts';
import { mean } from '../../stats/mean.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import { type PairedItem, pairedRateDifference } from '../../stats/significance/paired-rates.ts';
import { holmCorrection } from '../../stats/significance/paired-tests.ts';
import { judgeCostFields } from '../../trace/cost-fields.ts';
import { agreementOf } from '../calibration/calibration-metrics.ts';
import { calibrationVerdict } from '../calibration/calibration-verdict.ts';
import { type CrossFit, crossFit } from './cross-fit.ts';
import type {
  ComparedJudgeRow,
  JudgeCanaries,
  JudgeComparison,
  JudgePair,
  TestedDocument,
} from './judge-comparison.ts';
import { judgeSentences, referenceOf } from './judge-sentences.ts';

/** One answer with the verdict of people. */
export interface LabelledAnswer {
  human: boolean;
  /** The case that it is of: answers of one cluster may be alike. */
  cluster: string;
}

/** What a judge said about one answer. */
export interface JudgeVerdict {
  passed: boolean;
  score: number;
  /** How likely the answer passes, by a decision or by the share of votes; null for a single vote. */
  probability: number | null;
  /** How sure it is of its verdict, for a cascade; see `surenessOf`. */
  sureness?: number | null;
  /** Of all its votes; null if that is unknown. Missing in verdicts of which nothing but the figures above is known. */
  tokens?: { input_tokens: number | null; output_tokens: number | null };
  /** What it cost in US dollars; null if that is unknown or it was cached. */
  usd?: number | null;
}

/** A judge and its verdicts on all answers, in their order. */
export interface AskedJudge extends Pick<ComparedJudgeRow, 'name' | 'judge_adapter' | 'judge_model' | 'mode' | 'k'> {
  /** Null: it could not score the answer. Undefined: it was not asked. */
  verdicts: readonly (JudgeVerdict | null | undefined)[];
  unscoredBecause: string | null;
  /** The verdicts that were given and not cached: what each cost in US dollars (null: unknown), and how long it took. */
  paid: readonly { usd: number | null; seconds: number }[];
  cached: number;
  cost: Cost;
  canaries?: JudgeCanaries | undefined;
  biases?: ComparedJudgeRow['biases'];
}

/**
 * Compares judges on the same labels: each with people, and each two with each other on the answers that both scored.
 * An answer that a judge could not score counts neither for nor against it.
 */
export function compareJudges(options: {
  answers: readonly LabelledAnswer[];
  judges: readonly AskedJudge[];
  threshold: number;
  /** Lines of the labels; as many as there are answers, unless some are copies. */
  lines: number;
  notes: readonly string[];
  seed?: number | undefined;
}): JudgeComparison {
  const { answers, judges, threshold, seed = 0 } = options;
  const fits = withHolm(judges.map((judge) => fittedOf(judge, { answers, threshold, seed })));
  const rows = judges.map((judge, index) => rowOf(judge, { answers, fitted: fits[index] ?? null, seed }));
  const pairs = pairsOf(judges, answers, seed);
  const reference = referenceOf(rows);
  return {
    threshold,
    labels: {
      lines: options.lines,
      answers: answers.length,
      human_passed: answers.filter(({ human }) => human).length,
      cases: new Set(answers.map(({ cluster }) => cluster)).size,
    },
    reference: reference?.name ?? null,
    judges: rows.map((row) => ({ ...row, sentences: judgeSentences(row, { rows, pairs, reference }) })),
    pairs,
    notes: [...options.notes],
    exit_code: rows.some(({ verdict }) => verdict === 'usable')
      ? 0
      : rows.every(({ verdict }) => verdict === 'too few labels')
        ? 3
        : 1,
  };
}

interface ScoredAnswer extends LabelledAnswer, JudgeVerdict {}

function scoredBy({ verdicts }: Pick<AskedJudge, 'verdicts'>, answers: readonly LabelledAnswer[]): ScoredAnswer[] {
  return answers.flatMap((answer, index) => {
    const verdict = verdicts[index];
    return verdict ? [{ ...answer, ...verdict }] : [];
  });
}

function rowOf(
  judge: AskedJudge,
  { answers, fitted, seed }: { answers: readonly LabelledAnswer[]; fitted: ComparedJudgeRow['fitted']; seed: number },
): Omit<ComparedJudgeRow, 'sentences'> {
  const { name, judge_adapter, judge_model, mode, k, verdicts, paid } = judge;
  const scored = scoredBy(judge, answers);
  const asked = answers.flatMap(({ cluster }, index) =>
    verdicts[index] === undefined ? [] : [{ cluster, isTrue: verdicts[index] === null }],
  );
  const agreement = agreementOf(
    scored.map(({ human, cluster, passed, score }) => ({
      ...{ human, cluster, judge: { passed, score }, votes: [], weight: 1 },
    })),
    // The same numbers for all, so that judges with equal verdicts have equal intervals.
    seededRandom(seed, 'which judge'),
  );
  const auroc = aurocEstimate(scored.map(({ score, human, cluster }) => ({ score, isPositive: human, cluster })));
  const costs = paid.flatMap(({ usd }) => usd ?? []);
  return {
    ...{ name, judge_adapter, judge_model, mode, k },
    judged: asked.length,
    not_judged: answers.length - asked.length,
    unscored: shareOf(asked),
    unscored_because: judge.unscoredBecause,
    ...agreement,
    agreement: shareOf(scored.map(({ human, passed, cluster }) => ({ cluster, isTrue: human === passed }))),
    ...calibrationVerdict(agreement),
    auroc: auroc?.auroc ?? null,
    auroc_ci: auroc?.interval ?? null,
    reliability: reliabilityDocument(scored, mode === 'decide' ? 'decision' : 'votes'),
    fitted,
    canaries: judge.canaries ?? null,
    ...(judge.biases && { biases: judge.biases }),
    cost_usd_per_verdict: costs.length < paid.length ? null : mean(costs),
    seconds_per_verdict: mean(paid.map(({ seconds }) => seconds)),
    cached: judge.cached,
    ...judgeCostFields(judge.cost),
  };
}

function shareOf(items: readonly { cluster: string; isTrue: boolean }[]): ComparedJudgeRow['unscored'] {
  const found = clusterRate(items);
  const count = items.filter(({ isTrue }) => isTrue).length;
  return { count, rate: found?.rate ?? null, ci: found?.interval ?? null };
}

function reliabilityDocument(
  scored: readonly ScoredAnswer[],
  source: 'decision' | 'votes',
): ComparedJudgeRow['reliability'] {
  const forecasts = scored.flatMap(({ probability, human, cluster }) =>
    probability === null ? [] : [{ probability, isTrue: human, cluster }],
  );
  const found = reliabilityOf(forecasts);
  return (
    found && {
      source,
      n: forecasts.length,
      brier: found.brier,
      brier_ci: found.brierInterval,
      calibration_error: found.calibrationError,
      calibration_error_ci: found.calibrationErrorInterval,
      calibration_error_by_chance: found.calibrationErrorByChance,
      bins: found.bins.map(({ range, items, said, observed, interval, jointInterval }) => {
        return { range, n: items, said, observed, ci: interval, joint_ci: jointInterval };
      }),
    }
  );
}

type Fitted = NonNullable<ComparedJudgeRow['fitted']>;
type WithoutHolm<Tested> = Omit<Tested, 'p_holm'>;

function fittedOf(
  judge: AskedJudge,
  { answers, threshold, seed }: { answers: readonly LabelledAnswer[]; threshold: number; seed: number },
): (Omit<Fitted, 'gain'> & { gain: WithoutHolm<TestedDocument> }) | null {
  const scored = scoredBy(judge, answers);
  const fit: CrossFit | null = crossFit(scored, { current: threshold, seed });
  if (!fit) return null;
  const verdicts = scored.map((each, index) => ({ ...each, fitted: fit.passed[index] === true }));
  const random = seededRandom(seed, 'fitted', judge.name);
  const found = clusterRate(verdicts.map(({ fitted, human, cluster }) => ({ isTrue: fitted === human, cluster })));
  if (!found) return null;
  const count = { passed: found.rate * found.worth, total: found.worth };
  const gain = testedDifference(
    verdicts.map(({ fitted, passed, human, cluster }) => {
      return { first: fitted === human, second: passed === human, cluster };
    }),
    random,
  );
  return {
    thresholds: fit.thresholds,
    agreement: found.rate,
    agreement_ci: correctedWilsonInterval(count) ?? [0, 1],
    gain,
  };
}

function withHolm(fits: readonly ReturnType<typeof fittedOf>[]): (Fitted | null)[] {
  const tested = fits.filter((each) => each !== null);
  const corrected = holmCorrection(tested.map(({ gain }) => gain.p));
  return fits.map((each) => each && { ...each, gain: { ...each.gain, p_holm: corrected[tested.indexOf(each)] ?? 1 } });
}

function pairsOf(judges: readonly AskedJudge[], answers: readonly LabelledAnswer[], seed: number): JudgePair[] {
  const pairs = judges.flatMap((first, index) =>
    judges.slice(index + 1).map((second) => {
      const items = answers.flatMap(({ human, cluster }, at): PairedItem[] => {
        const [ofFirst, ofSecond] = [first.verdicts[at], second.verdicts[at]];
        if (!ofFirst || !ofSecond) return [];
        return [{ first: ofFirst.passed === human, second: ofSecond.passed === human, cluster }];
      });
      const random = seededRandom(seed, 'pair', first.name, second.name);
      return { first: first.name, second: second.name, ...testedDifference(items, random) };
    }),
  );
  const corrected = holmCorrection(pairs.map(({ p }) => p));
  return pairs.map((pair, index) => ({ ...pair, p_holm: corrected[index] ?? 1 }));
}

/** Without items, anything is possible. */
function testedDifference(items: readonly PairedItem[], random: () => number): WithoutHolm<TestedDocument> {
  const found = pairedRateDifference(items, random);
  return { n: items.length, difference: found?.difference ?? 0, ci: found?.interval ?? [-1, 1], p: found?.p ?? 1 };
}
