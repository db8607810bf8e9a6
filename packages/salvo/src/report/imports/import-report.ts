import type { FileReport, ImportReport } from '../../imports/import-document.ts';
import { formatBytes, formatCount, formatPlural } from '../../stats/format.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import { fewKs } from '../run/words/reliability.ts';

const MOST_LOSSES = 10;

/** What an import read, what it could not read, and what was stored. */
export function importText(report: ImportReport): string {
  const lines = [
    ...report.files.flatMap(fileLines),
    ...(report.files.length > 1 ? [totalLine(report.files)] : []),
    ...report.notes,
    ...scenarioLines(report),
    ...outcomeLines(report),
  ];
  return `${lines.map(safeIndented).join('\n')}\n`;
}

function safeIndented(line: string): string {
  return `${line.startsWith('  ') ? '  ' : ''}${safeLine(line)}`;
}

function totalLine(files: readonly FileReport[]): string {
  const sum = (name: keyof Counts) => files.reduce((total, each) => total + each[name], 0);
  const total = {
    ...{ conversations: sum('conversations'), messages: sum('messages'), calls: sum('calls'), doubled: sum('doubled') },
    calls_without_result: sum('calls_without_result'),
    results_without_call: sum('results_without_call'),
    ...{ input_tokens: sum('input_tokens'), output_tokens: sum('output_tokens') },
  };
  return `${formatPlural(files.length, 'file')}: ${countsText(total)}`;
}

type Counts = Omit<FileReport, 'file' | 'format' | 'bytes' | 'aside' | 'losses' | 'losses_total'>;

function countsText(counts: Counts): string {
  const { calls, calls_without_result: open, results_without_call: lone } = counts;
  return [
    formatPlural(counts.conversations, 'conversation'),
    formatPlural(counts.messages, 'message'),
    `${formatPlural(calls, 'tool call')}${open > 0 ? ` (${formatCount(open)} without a result)` : ''}`,
    ...(lone > 0 ? [`${formatPlural(lone, 'result')} without a call`] : []),
    ...(counts.input_tokens + counts.output_tokens > 0
      ? [`${formatCount(counts.input_tokens)} tokens in, ${formatCount(counts.output_tokens)} out`]
      : []),
    ...(counts.doubled > 0 ? [`${formatPlural(counts.doubled, 'doubled conversation')} left out`] : []),
  ].join(', ');
}

function fileLines(file: FileReport): string[] {
  if (file.format === null && file.conversations === 0) {
    return lossesOf(file).map((line) => `${line}, so it was left out`);
  }
  const aside = Object.entries(file.aside).sort(([, a], [, b]) => b - a);
  return [
    `${file.file} (${file.format ?? 'unknown'}, ${formatBytes(file.bytes)}): ${countsText(file)}`,
    ...(aside.length > 0 ? [`  kept aside: ${asideText(aside)}`] : []),
    ...lossLines(file),
  ];
}

const MOST_NAMES = 12;

function asideText(aside: [string, number][]): string {
  const named = aside.slice(0, MOST_NAMES).map(([name, count]) => `${name} (${formatCount(count)})`);
  const rest = aside.length - named.length;
  return `${named.join(', ')}${rest > 0 ? ` and ${formatPlural(rest, 'more field')}` : ''}`;
}

function lossesOf({ file, losses }: FileReport): string[] {
  return losses.slice(0, MOST_LOSSES).map(({ line, place, problem }) => {
    return `${line > 0 ? `${file}:${line}` : file}${place === '' ? '' : ` ${place}`} ${problem}`;
  });
}

function lossLines(file: FileReport): string[] {
  const { losses_total: total } = file;
  if (total === 0) return [];
  const shown = lossesOf(file).map((line) => `  ${line}`);
  const rest = total - shown.length;
  return [
    `  not read, or only in part: ${formatCount(total)}`,
    ...shown,
    ...(rest > 0 ? [`  and ${formatCount(rest)} more; --json lists them`] : []),
  ];
}

function scenarioLines({ scenarios }: ImportReport): string[] {
  return scenarios.map(({ name, cases, trials, pass_hat_k }) => {
    const chances = Object.keys(pass_hat_k).length === 0 ? '' : `; pass^k as given: ${fewKs(pass_hat_k).join(', ')}`;
    return `${name}: ${formatPlural(cases, 'case')}, ${formatPlural(trials, 'trial')}${chances}`;
  });
}

function outcomeLines({ status, run_id, given }: ImportReport): string[] {
  const outcomes =
    given.outcomes === 0
      ? 'No outcome is given with them, so no trial is scored.'
      : `Outcomes are given, not judged: ${formatCount(given.passed)} of ${formatCount(given.outcomes)} passed.`;
  switch (status) {
    case 'dry_run':
      return [outcomes, 'Nothing was stored.'];
    case 'present':
      return [`These files are stored already, as run ${run_id}.`];
    case 'interrupted':
      return run_id === null
        ? ['Stopped before anything was stored.']
        : [`Stopped. What was stored stays, as run ${run_id}. The same command goes on.`];
    case 'stored':
      return [outcomes, `Stored as run ${run_id}. See it: ${salvoCommand()} report ${run_id}`];
  }
}
