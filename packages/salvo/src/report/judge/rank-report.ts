import type { Ranking } from '../../run/rank/rank-candidates.ts';
import {
  formatCost,
  formatInterval,
  formatPercent,
  formatPlural,
  MISSING,
  twoDigits,
  twoDigitsInterval,
} from '../../stats/format.ts';
import { type JudgeCostFields, judgeCost } from '../../trace/cost-fields.ts';
import { type Block, column, figure, type ReportDocument, table, toned } from '../document/document.ts';
import { toTerminal } from '../document/terminal.ts';
import type { Look } from '../terminal/look.ts';
import { preferenceParts } from './judge-summaries.ts';

/** Runs ranked by their answers, for `salvo rank`: what can be said first, then the figures. */
export function renderRanking(ranking: Ranking & JudgeCostFields, look: Look): string {
  return toTerminal(rankReport(ranking), look);
}

function rankReport(ranking: Ranking & JudgeCostFields): ReportDocument {
  const { candidates, pairs, sentences, notes, judge, cases, comparisons, unscored, not_judged } = ranking;
  const order = judge ? preferenceParts(judge).order : [];
  return [
    {
      lines: [
        {
          text: `${formatPlural(candidates.length, 'candidate')}, compared two at a time by ${ranking.judge_model}`,
          tone: 'bold',
        },
        ...toned('dim', [
          `${formatPlural(comparisons, 'comparison')} of answers to ${formatPlural(cases, 'case')}, each in both orders`,
        ]),
      ],
    },
    { lines: sentences },
    strengthTable(candidates),
    pairTable(pairs),
    {
      lines: [
        ...order.map((part) => `${part}.`),
        ...(unscored > 0 ? [`${formatPlural(unscored, 'comparison')} could not be scored.`] : []),
        ...(not_judged > 0
          ? [
              `${formatPlural(not_judged, 'comparison')} not judged: the same command goes on, with the votes that are cached.`,
            ]
          : []),
        ...notes,
        `Cost ${formatCost(judgeCost(ranking))}.`,
      ],
    },
  ];
}

function strengthTable(candidates: Ranking['candidates']): Block {
  const strength = 'log odds by Bradley and Terry; the mean of all is 0';
  return table(candidates, [
    column('Candidate', { priority: 9, min: 8 }, ({ name }) => name),
    column('Strength', { align: 'right', priority: 8, meaning: strength }, ({ strength: own, strength_ci: ci }) =>
      own === null || ci === null ? MISSING : `${twoDigits(own)} (${twoDigitsInterval(ci)})`,
    ),
    figure('Won', 5, ({ wins }) => String(wins)),
    figure('Tied', 4, ({ ties }) => String(ties)),
    figure('Lost', 3, ({ losses }) => String(losses)),
  ]);
}

function pairTable(pairs: Ranking['pairs']): Block {
  const meaning = 'how likely the first is preferred, a tie as half, by the strengths of all';
  return table(pairs, [
    column('Pair', { priority: 9, min: 8 }, ({ first, second }) => `${first} − ${second}`),
    column('Preferred', { align: 'right', priority: 8, meaning }, ({ win_rate, win_rate_ci }) =>
      win_rate === null || win_rate_ci === null
        ? MISSING
        : `${formatPercent(win_rate)} (${formatInterval(win_rate_ci)})`,
    ),
    figure('Won', 5, ({ wins }) => String(wins)),
    figure('Tied', 4, ({ ties }) => String(ties)),
    figure('Lost', 3, ({ losses }) => String(losses)),
  ]);
}
