import type { AgainstOutcome } from '../../run/compare/judge-against.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { markdownText } from '../markdown-text.ts';
import { type Look, renderFor } from '../terminal/look.ts';
import { joinBlocks, wrap } from '../terminal/wrap.ts';
import { againstLines, differenceLines } from './against-words.ts';
import { comparisonMarkdown, renderComparison } from './compare-report.ts';

/** How much of a comparison is shown. */
interface AgainstOptions {
  isGreen: boolean;
  /** Also of a run that passes, and with sentences beside the table. */
  full: boolean;
}

/** The comparison with a baseline below the report of a run. Of a run that passes, only what the baseline leaves open. */
export function renderAgainst(against: AgainstOutcome, { look, ...options }: AgainstOptions & { look: Look }): string {
  const open = linesOf(against, options);
  const lines = renderFor(look, ({ width }) =>
    open.length === 0 ? '' : `\n${joinBlocks([open.flatMap((line) => wrap(safeLine(line), width))])}`,
  );
  const { full } = options;
  const hasTable = against.comparison.scenarios.length > 0 && isTableShown(options);
  return `${lines}${hasTable ? `\n${renderComparison(against.comparison, look, { full })}` : ''}`;
}

function isTableShown({ isGreen, full }: AgainstOptions): boolean {
  return full || !isGreen;
}

/** The table of the comparison names the differences, too. */
function linesOf(against: AgainstOutcome, options: AgainstOptions): string[] {
  const hasTable = isTableShown(options);
  return [...againstLines(against, { onlyFallen: !hasTable }), ...(hasTable ? [] : differenceLines(against))];
}

const LONGEST = 1000;

/** The same as GitHub-flavoured Markdown. */
export function againstMarkdown(against: AgainstOutcome, options: AgainstOptions): string {
  const lines = linesOf(against, options).map((line) => `${markdownText(line, LONGEST)}\n\n`);
  return `${lines.join('')}${isTableShown(options) ? comparisonMarkdown(against.comparison) : ''}`;
}
