import { safeLine } from '../../text/safe-text.ts';
import { plainSigns } from '../terminal/ascii.ts';
import { bar } from '../terminal/bar.ts';
import { formatPercent, formatPlural, formatScore } from '../terminal/format.ts';
import { joinBlocks } from '../terminal/join-blocks.ts';
import { createStyle, type Style } from '../terminal/style.ts';
import { renderTable } from '../terminal/table.ts';
import { wrap } from '../terminal/wrap.ts';
import { claimLine, findingPlace } from './claim-words.ts';
import { renderScoreMatrix } from './score-matrix.ts';
import { scoreMetrics } from './score-metrics.ts';
import type { ScoredBlue, ScoreSheet } from './score-sheet.ts';

const WIDEST = 120;
const NARROWEST = 40;
const MOST_LINES = 25;

interface Look {
  width: number;
  style: Style;
}

/** What was found, what evaded and what was a false alarm, for `salvo score`. No line is wider than `width`. */
export function renderScores(
  sheet: ScoreSheet,
  options: { width: number; color: boolean; ascii?: boolean | undefined },
): string {
  const style = createStyle(options.color);
  const look = { width: Math.max(NARROWEST, Math.min(WIDEST, options.width)), style };
  const [only] = sheet.blues;
  const blocks = [
    headline(sheet, look),
    ...(only && sheet.blues.length === 1 ? oneBlue(sheet, only, look) : renderScoreMatrix(sheet, look)),
    ...sheet.blues.map((blue) => gateLines(sheet, blue, look)),
    advice(sheet, look),
  ];
  const text = joinBlocks(blocks);
  return options.ascii ? plainSigns(text) : text;
}

function headline(
  { red, blues, matcher, matchThreshold, exactThreshold }: ScoreSheet,
  { width, style }: Look,
): string[] {
  const against = blues.map(({ name, findings }) => `${name} (${formatPlural(findings.length, 'finding')})`).join(', ');
  return [
    ...wrap(safeLine(`${red.file} (${vulnerabilities(red.vulnerabilities.length)}) against ${against}`), width).map(
      style.bold,
    ),
    style.dim(safeLine(`${matcher} matcher, match from ${matchThreshold}, exact from ${exactThreshold}`, width)),
  ];
}

function oneBlue(sheet: ScoreSheet, blue: ScoredBlue, look: Look): string[][] {
  if (blue.results.empty) {
    return [[look.style.magenta('◌ Nothing to score: no vulnerability in the manifest, and no finding.')]];
  }
  return [
    figures(blue, look),
    matchLines(sheet, blue, look),
    evadedLines(sheet, blue, look),
    alarmLines(sheet, blue, look),
    categoryTable(blue, look),
    modelLines(blue, look),
  ];
}

function figures({ results }: ScoredBlue, { width, style }: Look): string[] {
  return renderTable({
    columns: [
      { key: 'name', header: '', priority: 5 },
      { key: 'value', header: '', align: 'right', priority: 6 },
      { key: 'bar', header: '', priority: 1 },
      { key: 'of', header: '', priority: 4 },
      { key: 'interval', header: '', priority: 3 },
      { key: 'note', header: '', priority: 2, min: 12 },
    ],
    rows: scoreMetrics(results).map(({ name, value, of, interval, note, main }) => ({
      name: { text: name, paint: main ? style.bold : (text) => text },
      value: { text: formatPercent(value), paint: main ? style.bold : (text) => text },
      bar: { text: main && value !== null ? bar(value, 12) : '', paint: style.cyan },
      of: { text: of },
      interval: { text: interval, paint: style.dim },
      note: { text: note, paint: style.dim },
    })),
    width,
    paintHeader: style.dim,
  }).lines.slice(1);
}

function matchLines({ red }: ScoreSheet, { findings, results }: ScoredBlue, look: Look): string[] {
  return section(`Found (${results.matches.length})`, look.style.green, results.matches, look, (match) => {
    const { vulnerabilityId, vulnerabilityIndex, findingIndex, score, matchType } = match;
    const head = `${vulnerabilityId} → finding ${findingIndex} ${formatScore(score)} ${matchType}`;
    return [
      `${look.style.green('✔')} ${safeLine(head, look.width - 4)}`,
      ...indented(claimLine(red.vulnerabilities[vulnerabilityIndex]), look),
      ...indented(`→ ${claimLine(findings[findingIndex])}`, look),
      ...indented(match.explanation, look, look.style.dim),
    ];
  });
}

function evadedLines({ red }: ScoreSheet, { findings, results }: ScoredBlue, look: Look): string[] {
  const { style } = look;
  return section(`Evaded (${results.evaded.length})`, style.red, results.evadedIndices, look, (index) => {
    const vulnerability = red.vulnerabilities[index];
    const near = results.nearMisses.find(({ vulnerabilityIndex }) => vulnerabilityIndex === index);
    const because =
      near &&
      `${near.reason === 'taken' ? 'serves another' : 'nearest'}: finding ${near.findingIndex} ${formatScore(near.score)}, ${claimLine(findings[near.findingIndex])}: ${near.explanation}`;
    return [
      `${style.red('✖')} ${safeLine(`${vulnerability?.id ?? ''} ${findingPlace(vulnerability)}`, look.width - 4)}`,
      ...indented(claimLine(vulnerability), look),
      ...(because ? indented(because, look, style.dim) : []),
    ];
  });
}

function alarmLines(_: ScoreSheet, { findings, results }: ScoredBlue, look: Look): string[] {
  const { style } = look;
  const doubles = new Map(results.duplicates.map((duplicate) => [duplicate.findingIndex, duplicate]));
  const supported = new Set(results.anchors?.supportedAlarms ?? []);
  return section(`False alarms (${results.falseAlarms.length})`, style.yellow, results.falseAlarms, look, (index) => {
    const double = doubles.get(index);
    const note = double
      ? ` (again ${double.vulnerabilityId})`
      : supported.has(index)
        ? ' (a tool reports it, too)'
        : '';
    const text = `finding ${index}${note} ${findingPlace(findings[index])} ${claimLine(findings[index])}`;
    return [`${style.yellow(double ? '↻' : '○')} ${safeLine(text, look.width - 4)}`];
  });
}

function categoryTable({ results }: ScoredBlue, { width, style }: Look): string[] {
  const categories = Object.entries(results.breakdowns.category);
  if (categories.length < 2) return [];
  return renderTable({
    columns: [
      { key: 'category', header: 'Category', priority: 5, min: 8 },
      { key: 'found', header: 'Found', align: 'right', priority: 4 },
      { key: 'recall', header: 'Recall', align: 'right', priority: 3 },
      { key: 'bar', header: '', priority: 1 },
    ],
    rows: categories.map(([category, { found, vulnerabilities: all, recall }]) => ({
      category: { text: safeLine(category, 40) },
      found: { text: `${found}/${all}` },
      recall: { text: formatPercent(recall) },
      bar: { text: bar(recall, 16), paint: style.cyan },
    })),
    width,
    paintHeader: style.dim,
  }).lines;
}

function modelLines({ results: { models } }: ScoredBlue, { width, style }: Look): string[] {
  if (!models) return [];
  const cost = models.costUsd === null ? 'cost unknown' : `$${models.costUsd.toFixed(4)}`;
  const text = `A model was asked about ${formatPlural(models.asked, 'unclear pair')} (${formatPlural(models.calls, 'call')}, ${cost}); ${models.undecided} stayed undecided.`;
  return wrap(text, width).map(models.undecided > 0 ? style.magenta : style.dim);
}

function gateLines({ blues }: ScoreSheet, { name, gate }: ScoredBlue, { width, style }: Look): string[] {
  const prefix = blues.length > 1 ? `${name}: ` : '';
  const [sign, paint] = gate.status === 'failed' ? (['✖', style.red] as const) : (['◌', style.magenta] as const);
  return gate.messages.flatMap((message) => wrap(safeLine(`${sign} ${prefix}${message}`), width).map(paint));
}

/** The plain formula is the contract, but it knows nothing of rules, places and synonyms, which is what a scanner gives. */
function advice({ matcher, blues }: ScoreSheet, { width, style }: Look): string[] {
  const fromScanners = blues.some(({ findings }) => findings.some(({ rule_id }) => rule_id));
  if (matcher === 'evidence' || !fromScanners) return [];
  const text = '→ --matcher evidence also compares rule ids, places and synonyms, and agrees with people more often.';
  return wrap(text, width).map(style.dim);
}

function section<T>(
  title: string,
  paint: (text: string) => string,
  items: readonly T[],
  { width, style }: Look,
  linesOf: (item: T) => string[],
): string[] {
  if (items.length === 0) return [];
  const rest = items.length - MOST_LINES;
  return [
    paint(safeLine(title, width)),
    ...items.slice(0, MOST_LINES).flatMap((item) => linesOf(item).map((line) => `  ${line}`)),
    ...(rest > 0 ? [style.dim(`  and ${rest} more (--json lists all)`)] : []),
  ];
}

function indented(text: string, { width }: Look, paint: (text: string) => string = (line) => line): string[] {
  if (text === '') return [];
  return wrap(safeLine(text), width - 6).map((line) => `    ${paint(line)}`);
}

function vulnerabilities(count: number): string {
  return count === 1 ? '1 vulnerability' : `${count} vulnerabilities`;
}
