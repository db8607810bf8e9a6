import type { AgainstOutcome } from '../../run/compare/judge-against.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { markdownText } from '../markdown-text.ts';
import { type Look, renderFor } from '../terminal/look.ts';
import { joinBlocks, wrap } from '../terminal/wrap.ts';
import { againstLines, differenceLines } from './against-words.ts';
import { comparisonMarkdown } from './compare-markdown.ts';
import { renderComparison } from './compare-report.ts';

/** The comparison with a baseline below the report of a run. The short one, of a run that passes, has only what the baseline leaves open. */
export function renderAgainst(against: AgainstOutcome, { isShort, look }: { isShort: boolean; look: Look }): string {
  const open = linesOf(against, isShort);
  const lines = renderFor(look, ({ width }) =>
    open.length === 0 ? '' : `\n${joinBlocks([open.flatMap((line) => wrap(safeLine(line), width))])}`,
  );
  const hasTable = !isShort && against.comparison.scenarios.length > 0;
  return `${lines}${hasTable ? `\n${renderComparison(against.comparison, look)}` : ''}`;
}

/** The table of the comparison names the differences, too. */
function linesOf(against: AgainstOutcome, isShort: boolean): string[] {
  return [...againstLines(against), ...(isShort ? differenceLines(against) : [])];
}

const LONGEST = 1000;

/** The same as GitHub-flavoured Markdown. */
export function againstMarkdown(against: AgainstOutcome, { isShort }: { isShort: boolean }): string {
  const lines = linesOf(against, isShort).map((line) => `${markdownText(line, LONGEST)}\n\n`);
  return `${lines.join('')}${isShort ? '' : comparisonMarkdown(against.comparison)}`;
}
