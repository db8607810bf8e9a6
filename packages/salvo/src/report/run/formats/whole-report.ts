import type { Look } from '../../terminal/look.ts';
import type { RunReport } from '../run-report.ts';
import { renderRunReport } from '../terminal/terminal-report.ts';

/** The report of a run for a terminal, followed by its comparison with a baseline. */
export async function runText(report: RunReport, look: Look): Promise<string> {
  const text = await renderRunReport(report, look);
  if (!report.against) return text;
  const { renderAgainst } = await import('../../compare/against-report.ts');
  return `${text}${renderAgainst(report.against, { ...amount(report), look })}`;
}

/** The same as Markdown. */
export async function runMarkdown(report: RunReport): Promise<string> {
  const { renderMarkdown } = await import('./markdown.ts');
  const text = renderMarkdown(report);
  if (!report.against) return text;
  const { againstMarkdown } = await import('../../compare/against-report.ts');
  return `${text}\n${againstMarkdown(report.against, amount(report))}`;
}

/** How much of its comparison a report needs. */
function amount({ exit_code, full = false }: RunReport): { isGreen: boolean; full: boolean } {
  return { isGreen: exit_code === 0, full };
}
