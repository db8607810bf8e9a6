import type { StoredJudgement } from '../../judge/stored-judgement.ts';
import { formatCost, formatPercent, formatPlural, formatScore, twoDigits } from '../../stats/format.ts';
import { judgeCost } from '../../trace/cost-fields.ts';
import { type Content, column, figure, type Parts, type Tone, table, toned } from '../document/document.ts';
import { judgeHeadline, LONGEST_NOTE, voteRange, voteStrip } from './judge-words.ts';
import { type CriteriaScores, type CriterionVotes, criterionScore } from './result-words.ts';

/**
 * What a judge said of a trace: each criterion with its score and its votes, and the reasoning of the vote nearest the
 * score. With `most`, only so many criteria, lowest first, and no reasons for full scores.
 */
export function judgeLines(scores: CriteriaScores, { most }: { most?: number } = {}): Content[] {
  const { criteria, notes = [] } = scores;
  const shown = most === undefined ? criteria : lowest(criteria, most);
  const rest = criteria.length - shown.length;
  return [
    ...toned('dim', [judgeHeadline(scores)]),
    ...notes.map((text) => ({ text, most: LONGEST_NOTE })),
    table(
      shown,
      [
        column('Criterion', { priority: 4, min: 8 }, ({ name }) => name),
        figure('Score', 3, (criterion) => ({ text: criterionScore(criterion), tone: toneOf(criterion) })),
        column('Votes', { priority: 2 }, (criterion) => ({ text: voteStrip(criterion), tone: 'cyan' })),
        column('Range', { priority: 1 }, (criterion) => ({ text: rangeWords(criterion), tone: 'dim' })),
        column('Why', { place: 'below' }, ({ score, reasoning }) => ({
          text: reasoning === null || (most !== undefined && score >= 1) ? '' : reasoning,
          tone: 'dim',
          most: 600,
        })),
      ],
      { bare: true },
    ),
    ...toned('dim', [rest > 0 ? `and ${rest} more with higher scores` : null]),
  ];
}

/** In the order of the rubric. */
function lowest(criteria: readonly CriterionVotes[], most: number): readonly CriterionVotes[] {
  const kept = new Set(criteria.toSorted((a, b) => a.score - b.score).slice(0, most));
  return criteria.filter((criterion) => kept.has(criterion));
}

function rangeWords(criterion: CriterionVotes): string {
  const range = voteRange(criterion);
  return range === '' || criterion.all_scores.length === 0 ? range : `range ${range}`;
}

function toneOf({ score }: CriterionVotes): Tone {
  if (score >= 0.75) return 'green';
  return score >= 0.5 ? 'yellow' : 'red';
}

/** A judgement in the report of one trial: the criteria, details of the votes, and each judge of a panel. */
export function judgementLines(judgement: StoredJudgement): Content[] {
  const { judge_model, per_criterion: criteria, dissenting_votes, probability, notes } = judgement;
  return [
    ...judgeLines({ judge_model, criteria, dissenting_votes, probability, notes }),
    ...panelLine(judgement),
    { parts: toned('dim', footnotes(judgement)) },
  ];
}

function footnotes(judgement: StoredJudgement): (string | null)[] {
  const { votes, saved_calls, retries, material } = judgement;
  const count = (is: (vote: StoredJudgement['votes'][number]) => boolean): number => votes.filter(is).length;
  const unread = count(({ scores }) => scores === null);
  const repaired = count((vote) => vote.repaired && vote.scores !== null);
  const cached = count((vote) => vote.cached);
  const parts = material?.parts ?? 1;
  return [
    parts > 1 ? `in ${parts} parts` : null,
    unread > 0 ? `${unread} of ${formatPlural(votes.length, 'vote')} could not be read` : null,
    repaired > 0 ? `${repaired} asked again and then readable` : null,
    cached > 0 ? `${cached} from the cache` : null,
    retries > 0 ? formatPlural(retries, 'retry') : null,
    saved_calls > 0 ? `${formatPlural(saved_calls, 'call')} saved` : null,
    `judge ${formatCost(judgeCost(judgement), 'cost unknown')}`,
  ];
}

function panelLine({ panel }: StoredJudgement): Parts[] {
  if (!panel) return [];
  const judges = panel.judges.map(({ judge_model, score, passed, votes, readable, probability }) => {
    const verdict = passed === null ? 'no verdict' : `${formatScore(score)} ${passed ? 'pass' : 'fail'}`;
    if (probability !== undefined) return `${judge_model} ${verdict} (${formatPercent(probability)} probability)`;
    return `${judge_model} ${verdict} (${readable}/${votes} votes)`;
  });
  const { krippendorff_alpha: alpha } = panel;
  const [first, ...others] = [...judges, ...(alpha === null ? [] : [`alpha ${twoDigits(alpha)}`])];
  return [{ parts: toned('dim', [`panel: ${first}`, ...others]) }];
}
