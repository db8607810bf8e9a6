import {
  formatCount,
  formatInterval,
  formatPercent,
  formatPlural,
  pEquation,
  signedTwoDigits,
  twoDigits,
  twoDigitsInterval,
} from '../../stats/format.ts';
import { normalQuantile, Z_95 } from '../../stats/normal.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { FEWEST_ITEMS } from '../calibration/calibration-verdict.ts';
import type {
  ComparedJudgeRow,
  JudgeCanaries,
  JudgePair,
  ReliabilityDocument,
  TestedDocument,
} from './judge-comparison.ts';

/** A row before its sentences are written. */
type Row = Omit<ComparedJudgeRow, 'sentences'>;

/** Judges whose agreement differs by less than this are as good as each other for most purposes. */
const MARGIN = 0.05;
const ALPHA = 0.05;
/** Probabilities are called right on average if the interval of their error ends below this. */
const SMALL_ERROR = 0.1;

/** The judge that agrees most often with people, of those that scored half of the answers; of equals the cheaper one. */
export function referenceOf(rows: readonly Row[]): Row | null {
  const compared = rows.filter(
    ({ agreement, judged, unscored, not_judged }) =>
      agreement.rate !== null && (judged - unscored.count) * 2 >= judged + not_judged,
  );
  const [best] = compared.toSorted(
    (a, b) => (b.agreement.rate ?? 0) - (a.agreement.rate ?? 0) || costOf(a) - costOf(b),
  );
  return best ?? null;
}

function costOf({ cost_usd_per_verdict: usd }: Row): number {
  return usd ?? Number.POSITIVE_INFINITY;
}

/** What a busy person should know about a judge. No sentence says more than its interval. */
export function judgeSentences(
  row: Row,
  { rows, pairs, reference }: { rows: readonly Row[]; pairs: readonly JudgePair[]; reference: Row | null },
): string[] {
  const compared =
    reference === null ? null : row === reference ? asReference(row, pairs) : besides(row, reference, pairs);
  return [
    incomplete(row),
    row.n === 0 ? null : againstChance(row),
    row.n === 0 || rows.length < 2 ? null : compared,
    row.reliability && probabilitySentence(row.reliability),
    thresholdSentence(row),
    row.canaries && canarySentence(row.canaries),
    ...(row.biases ?? []).map(({ found, sentence }) => (found === 'raises' || found === 'lowers' ? sentence : null)),
  ].filter((each) => each !== null);
}

function incomplete({ judged, not_judged, unscored, unscored_because }: Row): string | null {
  const parts = [
    not_judged > 0 ? `${formatPlural(not_judged, 'answer')} not judged: it was stopped.` : '',
    unscored.count > 0
      ? `could not score ${formatCount(unscored.count)} of ${formatPlural(judged, 'answer')} (95% CI ${formatInterval(unscored.ci)})${unscored_because === null ? '.' : `: ${safeLine(unscored_because, 200)}`}`
      : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : parts.join(' ');
}

function againstChance({ verdict, reason, n }: Row): string | null {
  if (verdict === 'no better than chance') return `no better than chance: ${reason}.`;
  if (verdict !== 'too few labels') return null;
  const more = FEWEST_ITEMS - n;
  return `too few labels to tell it from chance: ${reason}${more > 0 ? `; at least ${more} more` : ''}.`;
}

function asReference(row: Row, pairs: readonly JudgePair[]): string {
  const own = pairs.flatMap((pair) => {
    if (pair.first === row.name) return [{ other: pair.second, tested: pair }];
    return pair.second === row.name ? [{ other: pair.first, tested: reversed(pair) }] : [];
  });
  const isBeaten = ({ tested }: (typeof own)[number]) => tested.p_holm < ALPHA && tested.ci[0] > 0;
  const names = (of: typeof own) => of.map(({ other }) => `"${other}"`).join(', ');
  const better = own.filter(isBeaten);
  const open = own.filter((each) => !isBeaten(each));
  const found = `agrees most often with people in these labels: ${formatPercent(row.agreement.rate)} (95% CI ${formatInterval(row.agreement.ci)})`;
  const parts = [
    better.length > 0 ? `more often than ${names(better)}` : '',
    open.length > 0 ? `not shown to be better than ${names(open)}` : '',
  ].filter((part) => part !== '');
  return `${[found, ...parts].join('; ')}.`;
}

function besides(row: Row, reference: Row, pairs: readonly JudgePair[]): string | null {
  const pair = pairs.find(({ first, second }) => first === row.name && second === reference.name);
  const back = pairs.find(({ first, second }) => first === reference.name && second === row.name);
  const tested = pair ?? (back && reversed(back));
  if (!tested || tested.n === 0) return null;
  const { ci, p_holm } = tested;
  const figures = `(difference ${signedTwoDigits(tested.difference)}, 95% CI ${twoDigitsInterval(ci)})`;
  const cost = costWords(row, reference);
  if (ci[0] >= -MARGIN && tested.n >= FEWEST_ITEMS) {
    return `agrees with people as well as "${reference.name}", to within ${100 * MARGIN} points ${figures}${cost}.`;
  }
  if (p_holm < ALPHA && ci[1] < 0) {
    return `agrees with people less often than "${reference.name}" ${figures}${cost}.`;
  }
  const more = labelsMissing(tested);
  return `too few labels to tell whether it agrees with people as well as "${reference.name}" ${figures}: about ${formatCount(more)} more would do${cost && `. It works${cost}`}.`;
}

/**
 * How many more labels would tell in four of five comparisons, if the difference is what it seems to be: by then the
 * interval ends above the margin or below 0. Intervals shrink with the square root of the labels.
 */
function labelsMissing({ ci, difference, n }: TestedDocument): number {
  const reach = Math.max(MARGIN + difference, -difference);
  const needed = n * FOUR_OF_FIVE * ((ci[1] - ci[0]) / 2 / reach) ** 2;
  return Math.max(FEWEST_ITEMS - n, Math.ceil((needed - n) / 10) * 10, 10);
}

/** With the labels that an interval needs to be short enough, chance decides in half of the comparisons. */
const FOUR_OF_FIVE = ((Z_95 + normalQuantile(0.2)) / Z_95) ** 2;

function costWords(row: Row, reference: Row): string {
  const [own, other] = [row.cost_usd_per_verdict, reference.cost_usd_per_verdict];
  if (own === null || other === null || other === 0 || own === other) return '';
  const ratio = own / other;
  return ratio < 2
    ? ` at ${ratio < 1 ? formatPercent(ratio) : `${Math.round(100 * ratio)}%`} of the cost`
    : ` at ${twoDigits(ratio)} times the cost`;
}

/** The test is of all probabilities together. Only if it finds something, the bin that shows it best is named. */
function probabilitySentence({
  bins,
  calibration_error,
  calibration_error_ci: ci,
  calibration_test: test,
}: ReliabilityDocument): string {
  const figures = `(expected calibration error ${twoDigits(calibration_error)}, 95% CI ${twoDigitsInterval(ci)})`;
  if (test && test.p_holm < ALPHA) {
    const found = `${test.kind}, ${pEquation(test.p_holm)}`;
    if (bins.every((bin) => gapOf(bin) <= MARGIN)) {
      return `its probabilities are off by at most ${100 * MARGIN} points in each bin: ${found} ${figures}.`;
    }
    const [worst] = bins
      .filter((bin) => gapOf(bin) > MARGIN && clearness(bin) >= 1)
      .toSorted((a, b) => clearness(b) - clearness(a));
    if (!worst) return `not calibrated: ${found}, by all its probabilities together ${figures}.`;
    const words = `where it says ${formatPercent(worst.said)}, people passed ${formatPercent(worst.observed)} (95% CI ${formatInterval(worst.ci)})`;
    return `not calibrated: ${words}; ${found} ${figures}.`;
  }
  if (ci[1] <= SMALL_ERROR)
    return `its probabilities are right on average to within ${100 * SMALL_ERROR} points ${figures}.`;
  return `its probabilities were not shown to be wrong, but may be off by ${twoDigits(ci[1])} on average ${figures}.`;
}

type Bin = ReliabilityDocument['bins'][number];

function gapOf({ said, observed }: Bin): number {
  return Math.abs(said - observed);
}

/** From 1 on, the interval of the bin excludes what was said. */
function clearness({ said, observed, ci }: Bin): number {
  const reach = said > observed ? ci[1] - observed : observed - ci[0];
  return reach === 0 ? 0 : Math.abs(said - observed) / reach;
}

function thresholdSentence({ fitted }: Row): string | null {
  if (!fitted || fitted.gain.p_holm >= ALPHA || fitted.gain.ci[0] <= 0) return null;
  const { thresholds, gain } = fitted;
  const values = [...new Set(thresholds.map((each) => twoDigits(each)))].sort().join(' or ');
  return `a threshold of ${values} agrees better with people, tested on labels that it was not chosen by (difference ${signedTwoDigits(gain.difference)}, 95% CI ${twoDigitsInterval(gain.ci)}).`;
}

function canarySentence({ canaries, controls, unscored, not_judged }: JudgeCanaries): string {
  const words = ({ right, scored, ci }: JudgeCanaries['canaries'], noun: string) =>
    `${formatCount(right)} of ${formatPlural(scored, noun)} (95% CI ${formatInterval(ci)})`;
  const open = unscored + not_judged;
  const rest = open > 0 ? `; ${formatPlural(open, 'case')} without a verdict` : '';
  return `got right ${words(canaries, 'canary')} and ${words(controls, 'honest control')}${rest}.`;
}

function reversed(tested: TestedDocument): TestedDocument {
  return { ...tested, difference: -tested.difference, ci: [-tested.ci[1], -tested.ci[0]] };
}
