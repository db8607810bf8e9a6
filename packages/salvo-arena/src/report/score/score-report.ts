import { bar, type Canvas, fewLines, joinBlocks, type Look, renderFor, renderTable, wrap } from 'salvo/kit/report';
import { formatCost, formatPercent, formatPlural, formatScore } from 'salvo/kit/stats';
import { safeLine } from 'salvo/kit/text';
import type { Finding } from '../../match/claims/finding.ts';
import { claimLine, findingPlace } from './describe-claim.ts';
import { notJudgedText } from './not-judged-text.ts';
import { renderScoreMatrix } from './score-matrix.ts';
import { explainedFindings, renderScoreMetrics } from './score-metrics.ts';
import { evadedUnjudged, type ScoredBlue, type ScoreSheet } from './score-sheet.ts';

const MOST_LINES = 25;

/** What was found, what evaded and what was a false alarm, for `salvo score`. */
export function renderScores(sheet: ScoreSheet, look: Look): string {
  return renderFor(look, (canvas) => scoreBlocks(sheet, canvas), { narrowest: 40 });
}

function scoreBlocks(sheet: ScoreSheet, canvas: Canvas): string {
  const [only] = sheet.blues;
  return joinBlocks([
    headline(sheet, canvas),
    ...(only && sheet.blues.length === 1 ? oneBlue(sheet, only, canvas) : renderScoreMatrix(sheet, canvas)),
    ...sheet.blues.map((blue) => notJudgedLines(sheet, blue, canvas)),
    ...sheet.blues.map((blue) => gateLines(sheet, blue, canvas)),
    advice(sheet, canvas),
  ]);
}

function headline(
  { red, blues, matcher, matchThreshold, exactThreshold }: ScoreSheet,
  { width, style }: Canvas,
): string[] {
  const against = blues.map(({ name, findings }) => `${name} (${formatPlural(findings.length, 'finding')})`).join(', ');
  return [
    ...wrap(
      safeLine(`${red.file} (${formatPlural(red.vulnerabilities.length, 'vulnerability')}) against ${against}`),
      width,
    ).map(style.bold),
    ...wrap(`${matcher} matcher, match from ${matchThreshold}, exact from ${exactThreshold}`, width).map(style.dim),
  ];
}

function oneBlue(sheet: ScoreSheet, blue: ScoredBlue, canvas: Canvas): string[][] {
  if (blue.results.empty) {
    return [[canvas.style.magenta('◌ Nothing to score: no vulnerability in the manifest, and no finding.')]];
  }
  return [
    renderScoreMetrics(blue.results, canvas),
    matchLines(sheet, blue, canvas),
    evadedLines(sheet, blue, canvas),
    alarmLines(blue, canvas),
    ...explainedLines(blue, canvas),
    categoryTable(blue, canvas),
    modelLines(blue, canvas),
  ];
}

function matchLines({ red }: ScoreSheet, { findings, results }: ScoredBlue, canvas: Canvas): string[] {
  return section(`Found (${results.matches.length})`, canvas.style.green, results.matches, canvas, (match) => {
    const { vulnerabilityId, vulnerabilityIndex, findingIndex, score, matchType } = match;
    const head = `${vulnerabilityId} → finding ${findingIndex} ${formatScore(score)} ${matchType}`;
    return [
      ...item(canvas.style.green('✔'), head, canvas),
      ...indented(claimLine(red.vulnerabilities[vulnerabilityIndex]), canvas),
      ...indented(`→ ${claimLine(findings[findingIndex])}`, canvas),
      ...indented(match.explanation, canvas, canvas.style.dim),
    ];
  });
}

function evadedLines({ red }: ScoreSheet, blue: ScoredBlue, canvas: Canvas): string[] {
  const { style } = canvas;
  const { findings, results } = blue;
  const unjudged = evadedUnjudged(red.vulnerabilities, blue);
  return section(`Evaded (${results.evaded.length})`, style.red, results.evadedIndices, canvas, (index) => {
    const vulnerability = red.vulnerabilities[index];
    const near = results.nearMisses.find(({ vulnerabilityIndex }) => vulnerabilityIndex === index);
    const because =
      near &&
      `${NEAR_REASONS[near.reason]}: finding ${near.findingIndex} ${formatScore(near.score)}, ${claimLine(findings[near.findingIndex])}: ${near.explanation}`;
    return [
      ...item(style.red('✖'), `${vulnerability?.id ?? ''} ${findingPlace(vulnerability)}`, canvas),
      ...indented(claimLine(vulnerability), canvas),
      ...(unjudged.has(index) ? indented(`${blue.name} says that it could not judge this`, canvas, style.magenta) : []),
      ...(because ? indented(because, canvas, style.dim) : []),
    ];
  });
}

const NEAR_REASONS = { below_threshold: 'nearest', taken: 'serves another', in_twin: 'not caused by it' } as const;

function alarmLines({ findings, results }: ScoredBlue, canvas: Canvas): string[] {
  const { style } = canvas;
  const doubles = new Map(results.duplicates.map((duplicate) => [duplicate.findingIndex, duplicate]));
  const supported = new Set(results.anchors?.supportedAlarms ?? []);
  const explained = explainedFindings(results);
  const alarms = results.falseAlarms.filter((index) => !explained.has(index));
  const title =
    results.falseAlarmsByTwin === null
      ? `False alarms (${alarms.length})`
      : `False alarms (${results.falseAlarmsByTwin.length})${doubles.size > 0 ? ` and duplicates (${doubles.size})` : ''}`;
  return section(title, style.yellow, alarms, canvas, (index) => {
    const double = doubles.get(index);
    const note = double
      ? ` (again ${double.vulnerabilityId})`
      : supported.has(index)
        ? ' (a tool reports it, too)'
        : '';
    const text = `finding ${index}${note} ${findingPlace(findings[index])} ${claimLine(findings[index])}`;
    return item(style.yellow(double ? '↻' : '○'), text, canvas);
  });
}

/** What a flaw caused besides its own finding, and what was there before: told apart from false alarms. */
function explainedLines({ findings, results }: ScoredBlue, canvas: Canvas): string[][] {
  const { style } = canvas;
  const { consequences, presentBefore } = results;
  const described = (index: number) =>
    `finding ${index} ${findingPlace(findings[index])} ${claimLine(findings[index])}`;
  const counted = results.precisionUsed === 'twin' ? '' : '; classic precision counts them as false alarms';
  return [
    section(`Consequences of a flaw (${consequences.length}${counted})`, style.cyan, consequences, canvas, (each) => [
      ...item(style.cyan('↳'), described(each.findingIndex), canvas),
      ...indented(`${each.vulnerabilityId}: ${each.why}`, canvas, style.dim),
    ]),
    section(`Present before (${presentBefore.length}${counted})`, style.dim, presentBefore, canvas, (index) =>
      item(style.dim('·'), described(index), canvas),
    ),
  ];
}

function categoryTable({ results }: ScoredBlue, { width, style }: Canvas): string[] {
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
      category: { text: safeLine(category, 200) },
      found: { text: `${found}/${all}` },
      recall: { text: formatPercent(recall) },
      bar: { text: bar(recall, 16), paint: style.cyan },
    })),
    width,
    style,
  }).lines;
}

function modelLines({ results: { models } }: ScoredBlue, { width, style }: Canvas): string[] {
  if (!models) return [];
  const cost = formatCost({ usd: models.costUsd, at_least: models.costAtLeast }, 'cost unknown');
  const text = `A model was asked about ${formatPlural(models.asked, 'unclear pair')} (${formatPlural(models.calls, 'call')}, ${cost}); ${models.undecided} stayed undecided.`;
  return wrap(text, width).map(models.undecided > 0 ? style.magenta : style.dim);
}

function notJudgedLines({ red }: ScoreSheet, blue: ScoredBlue, { width, style }: Canvas): string[] {
  const text = notJudgedText(red.vulnerabilities, blue);
  return text === null ? [] : wrap(safeLine(`◌ ${text}`, 400), width).map(style.magenta);
}

function gateLines({ blues }: ScoreSheet, { name, gate }: ScoredBlue, { width, style }: Canvas): string[] {
  const prefix = blues.length > 1 ? `${name}: ` : '';
  const [symbol, paint] = gate.status === 'failed' ? (['✖', style.red] as const) : (['◌', style.magenta] as const);
  return gate.messages.flatMap((message) => wrap(safeLine(`${symbol} ${prefix}${message}`), width).map(paint));
}

/** The documented formula ignores rule ids, places and synonyms, which is what scanners report. */
function advice({ matcher, blues, code }: ScoreSheet, { width, style }: Canvas): string[] {
  const findings = blues.flatMap((blue) => blue.findings);
  const fromScanners = findings.some(({ rule_id }) => rule_id);
  const isLoose =
    code === null && blues.some(({ results }) => results.evaded.length > 0) && findings.some(hasNoAddress);
  const texts = [
    ...(matcher === 'evidence' || !fromScanners
      ? []
      : ['→ The matcher evidence also compares rule ids, places and synonyms, and agrees with people more often.']),
    ...(isLoose
      ? ['→ Give the folder of the code (option source): what findings name loosely, or by a line, is looked up in it.']
      : []),
  ];
  return texts.flatMap((text) => wrap(text, width)).map(style.dim);
}

/** Nothing, or a description such as "the orders table". */
function hasNoAddress({ resource }: Finding): boolean {
  return [resource ?? ''].flat().every((name) => name === '' || /\s/.test(name));
}

function section<T>(
  title: string,
  paint: (text: string) => string,
  items: readonly T[],
  { width, style }: Canvas,
  linesOf: (item: T) => string[],
): string[] {
  if (items.length === 0) return [];
  const rest = items.length - MOST_LINES;
  return [
    ...wrap(title, width).map(paint),
    ...items.slice(0, MOST_LINES).flatMap((item) => linesOf(item).map((line) => `  ${line}`)),
    ...(rest > 0 ? [style.dim(`  and ${rest} more (JSON lists all)`)] : []),
  ];
}

/** An untrusted text with a symbol before it. */
function item(symbol: string, text: string, { width }: Canvas): string[] {
  return fewLines(text, width - 4).map((line, index) => `${index === 0 ? symbol : ' '} ${line}`);
}

function indented(text: string, { width }: Canvas, paint: (text: string) => string = (line) => line): string[] {
  if (text === '') return [];
  return fewLines(text, width - 6).map((line) => `    ${paint(line)}`);
}
