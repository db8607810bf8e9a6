import type { MigrationReport } from '../../migrate/migration-document.ts';
import { formatCount, formatPlural } from '../../stats/format.ts';
import { shellQuote } from '../../text/output/quote-output.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';

const MOST_LISTED = 40;
const LONGEST = 400;

/** What was written, and the table of what became of each part. */
export function migrationText(report: MigrationReport): string {
  const { rows, scenarios, files, out, written, complete } = report;
  const skipped = rows.read - rows.written;
  const head = [
    `${written ? 'Wrote' : 'Would write'} ${out}: ${formatPlural(scenarios, 'scenario')}, ${formatCount(rows.written)} of ${formatPlural(rows.read, 'row')}${skipped > 0 ? ` (${formatCount(skipped)} skipped)` : ''}, ${formatPlural(files.length, 'file')}`,
  ];
  const translated = report.translated.map(({ what, to, count }) => [what, to, formatCount(count)]);
  const lines = [
    ...head,
    ...section('Translated', table(translated)),
    ...section('Changed in meaning', noteLines(report.changed)),
    ...section('Left out', noteLines(report.left_out)),
    ...section('Not needed', noteLines(report.unneeded)),
    '',
    complete ? 'Nothing was left out.' : `${formatPlural(report.left_out.length, 'part')} left out: see above.`,
    ...(written
      ? ['', 'Next:', `  cd ${shellQuote(out)}`, `  ${salvoCommand()} validate`, `  ${salvoCommand()} run`]
      : []),
  ];
  return `${lines.map((line) => indented(line)).join('\n')}\n`;
}

function indented(line: string): string {
  // Runs of blanks are the columns of a table.
  return line
    .split(/( {2,})/)
    .map((part) => (/^ +$/.test(part) ? part : safeLine(part, LONGEST)))
    .join('');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}

function table(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const widths = [0, 1].map(width);
  return rows.map(
    ([what = '', to = '', count = '']) => `${what.padEnd(widths[0] ?? 0)}  →  ${to.padEnd(widths[1] ?? 0)}  ${count}`,
  );
}

function noteLines(notes: MigrationReport['changed']): string[] {
  const lines = notes
    .slice(0, MOST_LISTED)
    .map(
      ({ what, why, place, count }) =>
        `${place.file}:${place.line}  ${what}: ${why}${count > 1 ? ` (${formatCount(count)} times)` : ''}`,
    );
  const more = notes.length - MOST_LISTED;
  return more > 0 ? [...lines, `${formatCount(more)} more: --json lists all`] : lines;
}
