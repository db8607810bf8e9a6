import { z } from 'zod';
import { textFree } from '../../secrets/text-marks.ts';
import { formatInterval, formatPercent, formatPlural } from '../../stats/format.ts';
import { FEW_CLUSTERS } from '../../stats/intervals/cluster-intervals.ts';
import { bradleyTerry, type Strengths } from '../../stats/ranking/bradley-terry.ts';
import { pairwiseSummarySchema } from '../record/judge-summary.ts';
import { countPreference, type JudgedPreference, type PairCounts, pairwiseSummary } from '../tally/pair-tally.ts';

const rate = z.number().min(0).max(1);
const interval = z.tuple([z.number(), z.number()]);
const counts = { wins: z.int().nonnegative(), ties: z.int().nonnegative(), losses: z.int().nonnegative() };

/** What `salvo rank` found. A document. */
export const rankingSchema = z.object({
  judge_model: z.string(),
  /** Best first. */
  candidates: z.array(
    z.object({
      name: z.string(),
      run_id: textFree(z.string()),
      ...counts,
      /** Log odds by the model of Bradley and Terry, with a mean of 0; null if they cannot be ranked. */
      strength: z.number().nullable(),
      strength_ci: interval.nullable(),
    }),
  ),
  /** Each two candidates, the better one first. */
  pairs: z.array(
    z.object({
      first: z.string(),
      second: z.string(),
      ...counts,
      /** How likely the first is preferred, with a tie as half, by the strengths of all. */
      win_rate: rate.nullable(),
      win_rate_ci: interval.nullable(),
      /** Of which those of all pairs together contain the truth in 95%: only these decide what is said. */
      joint_ci: interval.nullable(),
    }),
  ),
  /** Of the judge: how often a preference changed with the order. Wins and losses are of the first of each pair. */
  judge: pairwiseSummarySchema.nullable(),
  cases: z.int().nonnegative(),
  comparisons: z.int().nonnegative(),
  unscored: z.int().nonnegative(),
  not_judged: z.int().nonnegative(),
  sentences: z.array(z.string()),
  notes: z.array(z.string()),
});

export type Ranking = z.infer<typeof rankingSchema>;

/** Two answers of two candidates, and which one the judge prefers; null if that could not be told. */
export interface RankedPair {
  first: number;
  second: number;
  /** Answers to one case may be alike. */
  cluster: string;
  judged: JudgedPreference | null;
}

/** Ranks candidates by what a judge says of their answers. Says no more than the intervals do. */
export function rankCandidates(options: {
  candidates: readonly { name: string; run_id: string }[];
  pairs: readonly RankedPair[];
  judgeModel: string;
  notJudged: number;
  notes: readonly string[];
}): Ranking {
  const { candidates, pairs, judgeModel, notJudged, notes } = options;
  const scored = pairs.flatMap(({ judged, ...pair }) =>
    judged?.preference ? [{ ...pair, ...judged, preference: judged.preference }] : [],
  );
  const strengths = bradleyTerry(
    scored.map(({ first, second, cluster, preference }) => ({ first, second, cluster, score: SCORE[preference] })),
    candidates.length,
  );
  const order = candidates
    .map((_, index) => index)
    .toSorted((a, b) => (strengths?.strengths[b]?.strength ?? 0) - (strengths?.strengths[a]?.strength ?? 0));
  const countOf = (is: (pair: (typeof scored)[number]) => number | null) => {
    const found = scored.map(is);
    const count = (score: number) => found.filter((each) => each === score).length;
    return { wins: count(1), ties: count(0.5), losses: count(0) };
  };
  const of = (at: number) => (pair: (typeof scored)[number]) =>
    pair.first === at ? SCORE[pair.preference] : pair.second === at ? 1 - SCORE[pair.preference] : null;
  const nameOf = (at: number) => candidates[at]?.name ?? '';
  const ranked = order.flatMap((first, position) =>
    order.slice(position + 1).map((second) => {
      const { rate: win_rate = null, interval: ci = null, joint = null } = strengths?.difference(first, second) ?? {};
      const tally = countOf((pair) => ([pair.first, pair.second].includes(second) ? of(first)(pair) : null));
      return { first: nameOf(first), second: nameOf(second), ...tally, win_rate, win_rate_ci: ci, joint_ci: joint };
    }),
  );
  const clusters = new Map<string, number>();
  const byCase = new Map<number, PairCounts>();
  for (const { cluster, ...judged } of scored) {
    if (!clusters.has(cluster)) clusters.set(cluster, clusters.size);
    countPreference(byCase, clusters.get(cluster) ?? 0, judged);
  }
  const ranking = {
    judge_model: judgeModel,
    candidates: order.map((at) => ({
      name: nameOf(at),
      run_id: candidates[at]?.run_id ?? '',
      ...countOf(of(at)),
      strength: strengths?.strengths[at]?.strength ?? null,
      strength_ci: strengths?.strengths[at]?.interval ?? null,
    })),
    pairs: ranked,
    judge: byCase.size > 0 ? pairwiseSummary(byCase) : null,
    cases: clusters.size,
    comparisons: scored.length,
    unscored: pairs.length - scored.length,
    not_judged: notJudged,
  };
  return {
    ...ranking,
    sentences: sentencesOf(ranking, strengths),
    notes: [...notes, ...notesOf(clusters.size, strengths)],
  };
}

const SCORE = { win: 1, tie: 0.5, loss: 0 };

function sentencesOf(
  { pairs, candidates }: Pick<Ranking, 'pairs' | 'candidates'>,
  strengths: Strengths | null,
): string[] {
  const [best, ...others] = candidates;
  if (!strengths || !best) return ['They cannot be ranked: see the notes.'];
  const clear = pairs.filter(({ joint_ci }) => joint_ci && joint_ci[0] > 0.5);
  const beaten = clear.filter(({ first }) => first === best.name);
  const rest = pairs.filter(
    ({ first, second }) => first === best.name && !beaten.some((pair) => pair.second === second),
  );
  const words = ({ second, win_rate, win_rate_ci }: Ranking['pairs'][number]) =>
    `${second} (${formatPercent(win_rate ?? 0.5)}, 95% CI ${formatInterval(win_rate_ci ?? [0, 1])})`;
  // The interval that decides: that of one pair alone may be above 50% where this one is not.
  const open = ({ joint_ci, ...pair }: Ranking['pairs'][number]) =>
    words({ ...pair, joint_ci, win_rate_ci: joint_ci ?? pair.win_rate_ci });
  const jointly = pairs.length > 1 ? '; intervals hold for all pairs together' : '';
  const top =
    beaten.length === others.length
      ? `${best.name} is preferred to ${others.length === 1 ? '' : 'all others: '}${beaten.map(words).join(', ')}.`
      : `${best.name} comes first in these answers, but is not shown to be preferred to ${rest.map(open).join(', ')}${jointly}.`;
  const further = clear.filter(({ first }) => first !== best.name);
  return [
    top,
    ...(beaten.length > 0 && rest.length > 0 ? [`${best.name} is preferred to ${beaten.map(words).join(', ')}.`] : []),
    ...further.map((pair) => `${pair.first} is preferred to ${words(pair)}.`),
  ];
}

function notesOf(cases: number, strengths: Strengths | null): string[] {
  if (!strengths) {
    return [
      cases < 2
        ? 'Intervals are those of cases, and fewer than two were compared.'
        : 'Some candidates have no case in common, not even through others.',
    ];
  }
  return cases < FEW_CLUSTERS
    ? [`Only ${formatPlural(cases, 'case')}: the intervals depend much on each of them.`]
    : [];
}
