import type { StoredJudgement } from '../../judge/stored-judgement.ts';
import { formatCost, formatPlural, formatScore, twoDigits } from '../../stats/format.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { judgeCost } from '../../trace/cost-fields.ts';
import type { Style } from '../terminal/style.ts';
import { joinParts } from '../terminal/wrap.ts';
import { judgeLines } from './judge-lines.ts';

/** A judgement in the report of one trial: the criteria, details of the votes, and each judge of a panel. */
export function judgementLines(judgement: StoredJudgement, options: { width: number; style: Style }): string[] {
  const { width, style } = options;
  const { judge_model, per_criterion: criteria, dissenting_votes, notes } = judgement;
  return [
    ...judgeLines({ judge_model, criteria, dissenting_votes, notes }, options),
    ...panelLines(judgement, options),
    ...joinParts(footnotes(judgement), width).map(style.dim),
  ];
}

function footnotes(judgement: StoredJudgement): string[] {
  const { votes, saved_calls, retries, material } = judgement;
  const count = (is: (vote: StoredJudgement['votes'][number]) => boolean): number => votes.filter(is).length;
  const unread = count(({ scores }) => scores === null);
  const repaired = count((vote) => vote.repaired && vote.scores !== null);
  const cached = count((vote) => vote.cached);
  const parts = material?.parts ?? 1;
  return [
    ...(parts > 1 ? [`in ${parts} parts`] : []),
    ...(unread > 0 ? [`${unread} of ${formatPlural(votes.length, 'vote')} could not be read`] : []),
    ...(repaired > 0 ? [`${repaired} asked again and then readable`] : []),
    ...(cached > 0 ? [`${cached} from the cache`] : []),
    ...(retries > 0 ? [formatPlural(retries, 'retry')] : []),
    ...(saved_calls > 0 ? [`${formatPlural(saved_calls, 'call')} saved`] : []),
    `judge ${formatCost(judgeCost(judgement), 'cost unknown')}`,
  ];
}

function panelLines({ panel }: StoredJudgement, { width, style }: { width: number; style: Style }): string[] {
  if (!panel) return [];
  const judges = panel.judges.map(({ judge_model, score, passed, votes, readable }) => {
    const verdict = passed === null ? 'no verdict' : `${formatScore(score)} ${passed ? 'pass' : 'fail'}`;
    return `${safeLine(judge_model, 40)} ${verdict} (${readable}/${votes} votes)`;
  });
  const { krippendorff_alpha: alpha } = panel;
  const agreement = alpha === null ? [] : [`alpha ${twoDigits(alpha)}`];
  const [first, ...others] = [...judges, ...agreement];
  return joinParts([`panel: ${first}`, ...others], width).map(style.dim);
}
