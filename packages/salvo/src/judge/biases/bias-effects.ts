import { seededRandom } from '../../stats/seeded-random.ts';
import { pairedMeanDifference } from '../../stats/significance/paired-means.ts';
import { pairedRateDifference } from '../../stats/significance/paired-rates.ts';
import { holmCorrection } from '../../stats/significance/paired-tests.ts';
import { type Bias, type BiasDocument, FEWEST_CASES, POINTS, SMALL_EFFECT } from './bias-document.ts';
import { biasSentence, CHANGED } from './bias-sentence.ts';

/** What a judge says of one version of an answer. */
export interface VersionVerdict {
  score: number;
  passed: boolean;
}

/**
 * Both versions of an answer, scored.
 * @internal Exported for its tests.
 */
export interface ScoredPair {
  plain: VersionVerdict;
  changed: VersionVerdict;
  /** Pairs of one case may be alike. */
  cluster: string;
}

/** The pairs of one bias, and the answers that have none. */
export interface MeasuredBias {
  bias: Bias;
  pairs: readonly ScoredPair[];
  leftOut: BiasDocument['left_out'];
}

const ALPHA = 0.05;

/** The effects of all biases on one judge, each tested, with Holm's correction over those that have pairs. */
export function biasEffects(measured: readonly MeasuredBias[], seed = 0): BiasDocument[] {
  const effects = measured.map((each) => effectOf(each, seed));
  const tested = effects.filter(({ p }) => p !== null);
  const corrected = holmCorrection(tested.map(({ p }) => p ?? 1));
  return effects.map((effect) => {
    const at = tested.indexOf(effect);
    const withHolm = { ...effect, p_holm: at < 0 ? null : (corrected[at] ?? 1) };
    const found = foundIn(withHolm);
    return { ...withHolm, found, sentence: biasSentence({ ...withHolm, found }) };
  });
}

type Effect = Omit<BiasDocument, 'p_holm' | 'found' | 'sentence'>;

function effectOf({ bias, pairs, leftOut }: MeasuredBias, seed: number): Effect {
  const random = seededRandom(seed, 'bias', bias);
  const differences = pairs.map(({ plain, changed, cluster }) => ({ by: changed.score - plain.score, cluster }));
  const scores = pairedMeanDifference(differences, random);
  const rates = pairedRateDifference(
    pairs.map(({ plain, changed, cluster }) => ({ first: changed.passed, second: plain.passed, cluster })),
    random,
  );
  return {
    bias,
    changed: CHANGED[bias],
    n: pairs.length,
    cases: new Set(pairs.map(({ cluster }) => cluster)).size,
    left_out: leftOut,
    points: scores && POINTS * scores.difference,
    ci: scores && [POINTS * scores.interval[0], POINTS * scores.interval[1]],
    pass_rate_difference: rates?.difference ?? null,
    pass_rate_ci: rates?.interval ?? null,
    p: scores?.p ?? null,
  };
}

function foundIn({ points, ci, p_holm, cases }: Effect & Pick<BiasDocument, 'p_holm'>): BiasDocument['found'] {
  if (points === null || ci === null || p_holm === null) return 'not measured';
  if (p_holm < ALPHA && (ci[0] > 0 || ci[1] < 0)) return points > 0 ? 'raises' : 'lowers';
  return cases >= FEWEST_CASES && Math.max(-ci[0], ci[1]) <= SMALL_EFFECT ? 'none' : 'too few';
}
