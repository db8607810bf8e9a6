import type { Disagreement } from '../../judge/calibration/calibration-record.ts';
import { formatPlural, formatScore } from '../../stats/format.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import type { Canvas } from '../terminal/look.ts';
import { fewLines, wrap } from '../terminal/wrap.ts';

const MOST_SHOWN = 8;

/** The items on which a judge and people differ, worst first, with what the judge said. */
export function disagreementLines(
  disagreements: readonly Disagreement[],
  items: number,
  { width, style }: Canvas,
): string[] {
  if (disagreements.length === 0) return [];
  const rest = disagreements.length - MOST_SHOWN;
  const title = `Judge and people differ on ${disagreements.length} of ${formatPlural(items, 'item')}, worst first:`;
  return [
    ...wrap(title, width),
    ...disagreements
      .slice(0, MOST_SHOWN)
      .flatMap((each) => [
        `  ${style.bold(each.shown_by ? safeLine(each.shown_by) : `line ${each.line}`)}  ${verdicts(each)}`,
        ...part('task', each.task, { width, style }),
        ...part('answer', each.response, { width, style }),
        ...part('judge', each.reasoning && criterionAnd(each), { width, style }),
      ]),
    ...(rest > 0 ? wrap(`  and ${rest} more (JSON lists all)`, width).map(style.dim) : []),
  ];
}

function verdicts({ human, judge, votes, votes_for }: Disagreement): string {
  const score = judge.score === null ? '' : ` ${formatScore(judge.score)}`;
  const cast = votes > 1 ? ` (${votes_for} of ${votes} votes)` : '';
  return `people: ${word(human.passed)} · judge: ${word(judge.passed)}${score}${cast}`;
}

function word(passed: boolean): string {
  return passed ? 'pass' : 'fail';
}

function criterionAnd({ criterion, reasoning }: Disagreement): string {
  return criterion === null ? (reasoning ?? '') : `${safeLine(criterion, 60)}: ${reasoning}`;
}

function part(name: string, text: string | null, { width, style }: Canvas): string[] {
  if (text === null || text.trim() === '') return [];
  return fewLines(`${name}: ${text}`, width - 4).map((line) => `    ${style.dim(line)}`);
}
