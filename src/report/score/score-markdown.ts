import { markdownText } from '../markdown-text.ts';
import { formatPercent, formatPlural, formatScore } from '../terminal/format.ts';
import { joinBlocks } from '../terminal/join-blocks.ts';
import { claimLine, findingPlace } from './claim-words.ts';
import { scoreMetrics } from './score-metrics.ts';
import type { ScoredBlue, ScoreSheet } from './score-sheet.ts';

const MOST_ROWS = 500;

/** GitHub-flavoured Markdown of a score sheet: the figures, who caught what, and every false alarm. */
export function renderScoreMarkdown(sheet: ScoreSheet): string {
  const { red, blues, matcher, matchThreshold, exactThreshold } = sheet;
  const blocks = [
    [`## ${markdownText(red.file)} against ${blues.map(({ name }) => markdownText(name)).join(', ')}`],
    [`${markdownText(matcher)} matcher, match from ${matchThreshold}, exact from ${exactThreshold}.`],
    blues.length === 1 ? blues.flatMap(figureRows) : comparisonRows(sheet),
    blues.flatMap(({ name, gate }) =>
      gate.messages.map((message) => `- **${markdownText(name)}**: ${markdownText(message)}`),
    ),
    caughtRows(sheet),
    ...blues.map((blue) => alarmRows(blue)),
  ];
  return joinBlocks(blocks);
}

function figureRows({ results }: ScoredBlue): string[] {
  const rows = scoreMetrics(results).map(({ name, value, of, interval, note }) =>
    row([name, formatPercent(value), markdownText(of), interval, markdownText(note)]),
  );
  return [row(['', 'Value', 'Of', '95% interval', '']), row(['---', '---:', '---', '---', '---']), ...rows];
}

function comparisonRows({ blues }: ScoreSheet): string[] {
  const rows = blues.map(({ name, findings, results }) =>
    row([
      markdownText(name),
      formatPercent(results.recall),
      formatPercent(results.precision),
      formatPercent(results.f1Score),
      formatPercent(results.evasionRate),
      String(findings.length),
      String(results.falseAlarms.length),
      String(results.duplicates.length),
    ]),
  );
  return [
    row(['Blue', 'Recall', 'Precision', 'F1', 'Evasion', 'Findings', 'False alarms', 'Duplicates']),
    row(['---', ...Array.from({ length: 7 }, () => '---:')]),
    ...rows,
  ];
}

function caughtRows({ red, blues }: ScoreSheet): string[] {
  if (red.vulnerabilities.length === 0) return [];
  const rows = red.vulnerabilities.slice(0, MOST_ROWS).map((vulnerability, index) => {
    const cells = blues.map(({ results }) => {
      const match = results.matches.find(({ vulnerabilityIndex }) => vulnerabilityIndex === index);
      return match ? `${match.matchType === 'exact' ? '✅' : '🟡'} ${formatScore(match.score)}` : '❌';
    });
    const what = [findingPlace(vulnerability), claimLine(vulnerability)].filter(Boolean).join(' ');
    return row([markdownText(vulnerability.id, 60), ...cells, markdownText(what, 200)]);
  });
  return [
    row(['Vulnerability', ...blues.map(({ name }) => markdownText(name)), 'What']),
    row(['---', ...blues.map(() => '---'), '---']),
    ...rows,
    ...cut(red.vulnerabilities.length, 'vulnerability'),
  ];
}

function alarmRows({ name, findings, results }: ScoredBlue): string[] {
  const { falseAlarms, duplicates } = results;
  if (falseAlarms.length === 0) return [];
  const doubles = new Map(duplicates.map(({ findingIndex, vulnerabilityId }) => [findingIndex, vulnerabilityId]));
  const lines = falseAlarms.slice(0, MOST_ROWS).map((index) => {
    const double = doubles.get(index);
    const place = findingPlace(findings[index]);
    const text = markdownText([place, claimLine(findings[index])].filter(Boolean).join(' '), 200);
    return `- ${index}: ${text}${double === undefined ? '' : ` _(again ${markdownText(double, 60)})_`}`;
  });
  const summary = `${markdownText(name)}: ${formatPlural(falseAlarms.length, 'false alarm')}`;
  return [
    '<details>',
    `<summary>${summary}</summary>`,
    '',
    ...lines,
    ...cut(falseAlarms.length, 'finding'),
    '',
    '</details>',
  ];
}

function cut(count: number, noun: string): string[] {
  return count > MOST_ROWS
    ? ['', `_${formatPlural(count - MOST_ROWS, `more ${noun}`)} left out; --json lists all._`]
    : [];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
