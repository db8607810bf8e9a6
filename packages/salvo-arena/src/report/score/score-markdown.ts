import { joinBlocks, markdownTable, markdownText } from 'salvo/kit/report';
import { formatPlural, formatScore } from 'salvo/kit/stats';
import { claimLine, findingPlace } from './describe-claim.ts';
import { notJudgedText } from './not-judged-text.ts';
import { comparedMetrics, explainedFindings, scoreMetrics } from './score-metrics.ts';
import type { ScoredBlue, ScoreSheet } from './score-sheet.ts';

const MOST_ROWS = 500;

/** GitHub-flavoured Markdown of a score sheet: the metrics, which Blue caught what, and every false alarm. */
export function renderScoreMarkdown(sheet: ScoreSheet): string {
  const { red, blues, matcher, matchThreshold, exactThreshold } = sheet;
  const blocks = [
    [`## ${markdownText(red.file)} against ${blues.map(({ name }) => markdownText(name)).join(', ')}`],
    [`${markdownText(matcher)} matcher, match from ${matchThreshold}, exact from ${exactThreshold}.`],
    blues.length === 1 ? blues.flatMap(metricsTable) : comparisonTable(sheet),
    blues.flatMap(({ name, gate }) =>
      gate.messages.map((message) => `- **${markdownText(name)}**: ${markdownText(message)}`),
    ),
    blues.flatMap((blue) => {
      const text = notJudgedText(red.vulnerabilities, blue);
      return text === null ? [] : [`- ${markdownText(text, 400)}`];
    }),
    caughtTable(sheet),
    ...blues.map(alarmList),
  ];
  return joinBlocks(blocks);
}

function metricsTable({ results }: ScoredBlue): string[] {
  const rows = scoreMetrics(results).map(({ name, text, of, interval, note }) => [
    name,
    text,
    markdownText(of),
    interval,
    markdownText(note),
  ]);
  return markdownTable(['', 'Value', 'Of', '95% interval', ''], rows, 'lrlll');
}

function comparisonTable({ blues }: ScoreSheet): string[] {
  const metrics = comparedMetrics(blues);
  return markdownTable(
    ['Blue', ...metrics.map(({ header }) => header)],
    blues.map((blue) => [markdownText(blue.name), ...metrics.map(({ text }) => text(blue))]),
  );
}

function caughtTable({ red, blues }: ScoreSheet): string[] {
  const rows = red.vulnerabilities.slice(0, MOST_ROWS).map((vulnerability, index) => {
    const cells = blues.map(({ results }) => {
      const match = results.matches.find(({ vulnerabilityIndex }) => vulnerabilityIndex === index);
      return match ? `${match.matchType === 'exact' ? '✅' : '🟡'} ${formatScore(match.score)}` : '❌';
    });
    const what = [findingPlace(vulnerability), claimLine(vulnerability)].filter(Boolean).join(' ');
    return [markdownText(vulnerability.id, 60), ...cells, markdownText(what, 200)];
  });
  const header = ['Vulnerability', ...blues.map(({ name }) => markdownText(name)), 'What'];
  const lines = markdownTable(header, rows, 'l'.repeat(header.length));
  return [...lines, ...omitted(red.vulnerabilities.length, 'vulnerability')];
}

/** The false alarms with the duplicates, then what is told apart from them. */
function alarmList({ name, findings, results }: ScoredBlue): string[] {
  const { duplicates, consequences, presentBefore } = results;
  const doubles = new Map(
    duplicates.map(({ findingIndex, vulnerabilityId }) => [findingIndex, `again ${vulnerabilityId}`]),
  );
  const explained = explainedFindings(results);
  const followers = new Map(
    consequences.map(({ findingIndex, vulnerabilityId, why }) => [findingIndex, `${vulnerabilityId}: ${why}`]),
  );
  const listed = (indices: readonly number[], notes: ReadonlyMap<number, string>) =>
    indices.slice(0, MOST_ROWS).map((index) => {
      const note = notes.get(index);
      const place = findingPlace(findings[index]);
      const text = markdownText([place, claimLine(findings[index])].filter(Boolean).join(' '), 200);
      return `- ${index}: ${text}${note === undefined ? '' : ` _(${markdownText(note, 200)})_`}`;
    });
  const section = (indices: readonly number[], noun: string, notes: ReadonlyMap<number, string>) =>
    indices.length === 0
      ? []
      : [
          '<details>',
          `<summary>${markdownText(name)}: ${formatPlural(indices.length, noun)}</summary>`,
          '',
          ...listed(indices, notes),
          ...omitted(indices.length, 'finding'),
          '',
          '</details>',
        ];
  return [
    ...section(
      results.falseAlarms.filter((index) => !explained.has(index)),
      results.precisionUsed === 'twin' && duplicates.length > 0 ? 'false alarm or duplicate' : 'false alarm',
      doubles,
    ),
    ...section([...followers.keys()], 'consequence', followers),
    ...section(presentBefore, 'finding about what was there before', new Map()),
  ];
}

function omitted(count: number, noun: string): string[] {
  return count > MOST_ROWS
    ? ['', `_${formatPlural(count - MOST_ROWS, `more ${noun}`)} left out; JSON lists all._`]
    : [];
}
