import { z } from 'zod';
import { cohenKappa } from '../../stats/agreement/cohen-kappa.ts';
import { formatInterval, formatPercent, formatPlural, twoDigits, twoDigitsInterval } from '../../stats/format.ts';
import { clusterIntervals, DIFFERENCE } from '../../stats/intervals/cluster-intervals.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import { answerOf } from '../calibration/judge-labels.ts';
import type { LabelledPair } from './pair-labels.ts';
import { PREFERENCES, type Preference } from './pairwise-outcome.ts';
import { majorityPreference } from './preference.ts';

const interval = z.tuple([z.number(), z.number()]).nullable();
const figure = z.object({ value: z.number().nullable(), ci: interval });

const PAIR_VERDICTS = ['agrees', 'no better than chance', 'worse than chance', 'too few pairs'] as const;

/** How far a judge of pairs agrees with people. A document. */
export const pairCalibrationSchema = z.object({
  judge_model: z.string(),
  verdict: z.enum(PAIR_VERDICTS),
  /** Different pairs that people and the judge have a verdict on. */
  pairs: z.int().nonnegative(),
  cases: z.int().nonnegative(),
  /** Of people, then of the judge: how many pairs are won by a, tied, won by b. */
  table: z.object({
    win: z.object({ win: z.int(), tie: z.int(), loss: z.int() }),
    tie: z.object({ win: z.int(), tie: z.int(), loss: z.int() }),
    loss: z.object({ win: z.int(), tie: z.int(), loss: z.int() }),
  }),
  /** Where both have a preference, how often it is the same. Chance gives 0.5. */
  same_preference: figure,
  /** How often a, b or tie is the same. */
  agreement: figure,
  /** Cohen's, over a, b and tie. */
  kappa: figure,
  /** How often a preference changed with the order. */
  changed_rate: figure,
  first_preferred_by: figure,
  unscored: z.int().nonnegative(),
  not_judged: z.int().nonnegative(),
  sentences: z.array(z.string()),
  notes: z.array(z.string()),
});

export type PairCalibration = z.infer<typeof pairCalibrationSchema>;

/** A pair that people labelled once or more. */
export interface PeoplesPair extends LabelledPair {
  cluster: string;
}

/** What a judge says of a pair; null if it could not be told. */
export interface JudgedPair {
  pair: PeoplesPair;
  preference: Preference | null;
  order: { votes: number; changed: number; first: number };
}

/**
 * Each pair once, with what most people prefer. The same two answers in the other order are the same pair. A pair on
 * which people have no majority is left out.
 */
export function peoplesPairs(labels: readonly LabelledPair[]): { pairs: PeoplesPair[]; notes: string[] } {
  const groups = new Map<string, { first: LabelledPair; preferred: Preference[] }>();
  for (const label of labels) {
    const [a, b] = [answerOf(label.a) ?? '', answerOf(label.b) ?? ''];
    const key = JSON.stringify([label.task, label.case, ...[a, b].toSorted()]);
    const group = groups.get(key) ?? { first: label, preferred: [] };
    const isSameOrder = answerOf(group.first.a) === a;
    group.preferred.push(isSameOrder ? label.preferred : OPPOSITE[label.preferred]);
    groups.set(key, group);
  }
  const all = [...groups.values()];
  const divided = all.filter(({ preferred }) => mostOften(preferred) === null).length;
  const repeated = labels.length - all.length;
  const pairs = all.flatMap(({ first, preferred }) => {
    const most = mostOften(preferred);
    const cluster = first.case ?? first.task ?? `line ${first.line}`;
    return most === null ? [] : [{ ...first, preferred: most, cluster }];
  });
  return {
    pairs,
    notes: [
      ...(repeated > 0
        ? [`${formatPlural(repeated, 'line')} on a pair that has a label already: the majority counts.`]
        : []),
      ...(divided > 0 ? [`${formatPlural(divided, 'pair')} left out: people have no majority.`] : []),
    ],
  };
}

const OPPOSITE: Readonly<Record<Preference, Preference>> = { win: 'loss', tie: 'tie', loss: 'win' };

/** Null without a majority. */
function mostOften(preferred: readonly Preference[]): Preference | null {
  const found = majorityPreference(preferred.map((preference) => ({ preference, weight: 1 })));
  const ties = preferred.filter((each) => each === 'tie').length;
  return found === 'tie' && ties * 2 <= preferred.length ? null : found;
}

/** Compares a judge of pairs with people. Intervals are those of cases. */
export function calibratePairs(
  judged: readonly JudgedPair[],
  { judgeModel, notJudged, notes }: { judgeModel: string; notJudged: number; notes: readonly string[] },
): PairCalibration {
  const scored = judged.flatMap(({ pair, preference, order }) =>
    preference ? [{ people: pair.preferred, judge: preference, order, cluster: pair.cluster }] : [],
  );
  const clusters = [...Map.groupBy(scored, ({ cluster }) => cluster).values()];
  const values = figuresOf(clusters);
  const ranges = [undefined, undefined, DIFFERENCE, undefined, DIFFERENCE];
  const intervals = clusterIntervals({ clusters, metrics: figuresOf, ranges, random: seededRandom('pairs') }) ?? [];
  const [same, agreement, kappa, changed, first] = values.map((value, index) => ({
    value: Number.isFinite(value) ? value : null,
    ci: intervals[index] ?? null,
  }));
  const none = { value: null, ci: null };
  const calibration = {
    judge_model: judgeModel,
    pairs: scored.length,
    cases: clusters.length,
    table: tableOf(scored),
    same_preference: same ?? none,
    agreement: agreement ?? none,
    kappa: kappa ?? none,
    changed_rate: changed ?? none,
    first_preferred_by: first ?? none,
    unscored: judged.length - scored.length,
    not_judged: notJudged,
  };
  const verdict = verdictOf(calibration.same_preference.ci, scored.length);
  return { ...calibration, verdict, sentences: sentencesOf(calibration), notes: [...notes] };
}

interface ScoredPair {
  people: Preference;
  judge: Preference;
  order: JudgedPair['order'];
}

function figuresOf(clusters: readonly (readonly ScoredPair[])[]): number[] {
  const pairs = clusters.flat();
  const decided = pairs.filter(({ people, judge }) => people !== 'tie' && judge !== 'tie');
  const same = (list: readonly ScoredPair[]) =>
    list.filter(({ people, judge }) => people === judge).length / list.length;
  const total = (key: keyof JudgedPair['order']) => pairs.reduce((sum, { order }) => sum + order[key], 0);
  const kappa = cohenKappa(
    pairs.map(({ people }) => people),
    pairs.map(({ judge }) => judge),
  );
  const votes = total('votes');
  return [same(decided), same(pairs), kappa ?? Number.NaN, total('changed') / votes, total('first') / votes];
}

function tableOf(pairs: readonly ScoredPair[]): PairCalibration['table'] {
  const row = (people: Preference) => {
    const own = pairs.filter((pair) => pair.people === people);
    const count = (judge: Preference) => own.filter((pair) => pair.judge === judge).length;
    return { win: count('win'), tie: count('tie'), loss: count('loss') };
  };
  return { win: row('win'), tie: row('tie'), loss: row('loss') };
}

const FEWEST_PAIRS = 10;
/** A judge whose interval reaches no higher is not worth asking. */
const LITTLE_BETTER = 0.7;

function verdictOf(ci: readonly [number, number] | null, pairs: number): PairCalibration['verdict'] {
  if (ci === null || pairs < FEWEST_PAIRS) return 'too few pairs';
  if (ci[0] > 0.5) return 'agrees';
  if (ci[1] < 0.5) return 'worse than chance';
  return ci[1] < LITTLE_BETTER ? 'no better than chance' : 'too few pairs';
}

function sentencesOf(found: Omit<PairCalibration, 'verdict' | 'sentences' | 'notes'>): string[] {
  const { same_preference: same, agreement, kappa, table } = found;
  const within = (ci: readonly [number, number] | null) => (ci ? ` (95% CI ${formatInterval(ci)})` : '');
  const ties = PREFERENCES.reduce((sum, people) => sum + table[people].tie, 0);
  return [
    ...(same.value === null
      ? ['There is no pair on which both people and the judge have a preference.']
      : [
          `Prefers what people prefer in ${formatPercent(same.value)}${within(same.ci)} of the pairs where both have a preference; chance gives 50%.`,
        ]),
    ...(agreement.value === null
      ? []
      : [
          `With ties it agrees in ${formatPercent(agreement.value)}${within(agreement.ci)}${kappa.value === null ? '' : `, kappa ${twoDigits(kappa.value)}${kappa.ci ? ` (${twoDigitsInterval(kappa.ci)})` : ''}`}. It says tie in ${ties} of ${found.pairs}.`,
        ]),
  ];
}
