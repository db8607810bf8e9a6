import {
  type Block,
  bar,
  figure,
  type Look,
  type ReportDocument,
  type ReportItem,
  type Text,
  type Tone,
  table,
  toTerminal,
} from 'salvo/kit/report';
import { formatCost, formatPercent, formatPlural, formatScore } from 'salvo/kit/stats';
import type { Finding } from '../../match/claims/finding.ts';
import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import { claimLine, findingPlace } from './describe-claim.ts';
import { comparedMetrics, explainedFindings, metricsTable } from './score-metrics.ts';
import { evadedUnjudged, type ScoredBlue, type ScoreSheet } from './score-sheet.ts';
import { unresolvedList } from './unresolved-list.ts';

const MOST_ITEMS = 25;
const MOST_ROWS = 60;

export function renderScores(sheet: ScoreSheet, look: Look): string {
  return toTerminal(scoreReport(sheet), look, { narrowest: 40 });
}

/** What was found, what evaded and what was a false alarm, for `salvo score`. */
export function scoreReport(sheet: ScoreSheet): ReportDocument {
  const { red, blues, matcher, matchThreshold, exactThreshold, keys } = sheet;
  const against = blues.map(({ name, findings }) => `${name} (${formatPlural(findings.length, 'finding')})`).join(', ');
  const sameKeys = keys === 'same' ? ", a missing key of one's own counts as missing encryption" : '';
  const how = `${matcher} matcher, match from ${matchThreshold}, exact from ${exactThreshold}${sameKeys}`;
  const [only] = blues;
  return [
    {
      heading: `${red.file} (${formatPlural(red.vulnerabilities.length, 'vulnerability')}) against ${against}`,
      lines: [{ text: how, tone: 'dim' }],
    },
    ...(only && blues.length === 1 ? oneBlue(sheet, only) : severalBlues(sheet)),
    ...blues.map((blue): Block => {
      const text = notJudgedText(red.vulnerabilities, blue);
      return { lines: text === null ? [] : [{ text: `◌ ${text}`, tone: 'magenta' }] };
    }),
    ...blues.map((blue): Block => ({ lines: gateLines(sheet, blue) })),
    { lines: advice(sheet).map((text) => ({ text, tone: 'dim' })) },
  ];
}

function oneBlue(sheet: ScoreSheet, blue: ScoredBlue): Block[] {
  if (blue.results.empty) {
    const text = '◌ Nothing to score: no vulnerability in the manifest, and no finding.';
    return [{ lines: [{ text, tone: 'magenta' }] }];
  }
  return [
    metricsTable(blue.results, sheet.beta),
    foundList(sheet, blue),
    evadedList(sheet, blue),
    ...alarmLists(blue),
    categoryTable(blue),
    { lines: modelLines(blue) },
  ];
}

/** Several Blues side by side: their metrics, then which of them caught what. */
function severalBlues({ red, blues }: ScoreSheet): Block[] {
  const caught = table(
    red.vulnerabilities,
    [
      { header: 'Vulnerability', priority: 1_000, min: 6, cell: ({ id }) => id },
      ...blues.map(({ name, results }, blue) => ({
        header: name,
        priority: 900 - blue,
        min: 8,
        cell(_: unknown, index: number): Text {
          const match = results.matches.find(({ vulnerabilityIndex }) => vulnerabilityIndex === index);
          if (!match) return { text: '✖', tone: 'red' };
          const text = match.matchType === 'exact' ? '✔' : '◐';
          return { text, tone: 'green', print: `${text} ${formatScore(match.score)}` };
        },
      })),
      { header: 'Place', only: 'print', cell: findingPlace },
      { header: 'What', priority: 1, min: 12, cell: (flaw) => ({ text: claimLine(flaw), tone: 'dim' }) },
    ],
    { most: MOST_ROWS, countsHidden: true, legend: '✔ exact  ◐ partial  ✖ evaded' },
  );
  const alarms = blues.flatMap((blue) => alarmLists(blue, `${blue.name}: `));
  return [comparedMetrics(blues), caught, ...alarms.map((block): Block => ({ ...block, only: 'print' }))];
}

function foundList({ red }: ScoreSheet, { findings, results }: ScoredBlue): Block {
  return {
    title: { text: `Found (${results.matches.length})`, tone: 'green' },
    most: MOST_ITEMS,
    items: results.matches.map(
      ({ vulnerabilityId, vulnerabilityIndex, findingIndex, score, matchType, explanation }) => ({
        symbol: { text: '✔', tone: 'green' },
        text: `${vulnerabilityId} → finding ${findingIndex} ${formatScore(score)} ${matchType}`,
        below: [
          claimLine(red.vulnerabilities[vulnerabilityIndex]),
          `→ ${claimLine(findings[findingIndex])}`,
          { text: explanation, tone: 'dim' },
        ],
      }),
    ),
  };
}

function evadedList({ red }: ScoreSheet, blue: ScoredBlue): Block {
  const { findings, results } = blue;
  const unjudged = evadedUnjudged(red.vulnerabilities, blue);
  return {
    title: { text: `Evaded (${results.evaded.length})`, tone: 'red' },
    most: MOST_ITEMS,
    items: results.evadedIndices.map((index) => {
      const vulnerability = red.vulnerabilities[index];
      const near = results.nearMisses.find(({ vulnerabilityIndex }) => vulnerabilityIndex === index);
      const notJudged: Text = { text: `${blue.name} says that it could not judge this`, tone: 'magenta' };
      const because =
        near &&
        `${NEAR_REASONS[near.reason]}: finding ${near.findingIndex} ${formatScore(near.score)}, ${claimLine(findings[near.findingIndex])}: ${near.explanation}`;
      return {
        symbol: { text: '✖', tone: 'red' },
        text: `${vulnerability?.id ?? ''} ${findingPlace(vulnerability)}`,
        below: [
          claimLine(vulnerability),
          ...(unjudged.has(index) ? [notJudged] : []),
          ...(because ? [{ text: because, tone: 'dim' as const }] : []),
        ],
      };
    }),
  };
}

const NEAR_REASONS = { below_threshold: 'nearest', taken: 'serves another', in_twin: 'not caused by it' } as const;

/** The false alarms with the duplicates. Then what a flaw caused besides its own finding, and what was there before. */
function alarmLists({ findings, results }: ScoredBlue, prefix = ''): Block[] {
  const { consequences, presentBefore, falseAlarmsByTwin, anchors } = results;
  const doubles = new Map(results.duplicates.map((duplicate) => [duplicate.findingIndex, duplicate]));
  const supported = new Set(anchors?.supportedAlarms ?? []);
  const explained = explainedFindings(results);
  const alarms = results.falseAlarms.filter((index) => !explained.has(index));
  const title =
    falseAlarmsByTwin === null
      ? `False alarms (${alarms.length})`
      : `False alarms (${falseAlarmsByTwin.length - (results.unresolved?.length ?? 0)})${doubles.size > 0 ? ` and duplicates (${doubles.size})` : ''}`;
  const counted = results.precisionUsed === 'twin' ? '' : '; classic precision counts them as false alarms';
  const described = (index: number, note = '') =>
    `finding ${index}${note} ${findingPlace(findings[index])} ${claimLine(findings[index])}`;
  const list = (text: string, tone: Tone, items: readonly ReportItem[]): Block => ({
    title: { text: `${prefix}${text}`, tone },
    most: MOST_ITEMS,
    items,
  });
  return [
    list(
      title,
      'yellow',
      alarms.map((index) => {
        const double = doubles.get(index);
        const also = supported.has(index) ? ' (a tool reports it, too)' : '';
        return {
          symbol: { text: double ? '↻' : '○', tone: 'yellow' },
          text: described(index, double ? ` (again ${double.vulnerabilityId})` : also),
        };
      }),
    ),
    unresolvedList(results, { findings, most: MOST_ITEMS, prefix }),
    list(
      `Consequences of a flaw (${consequences.length}${counted})`,
      'cyan',
      consequences.map(({ findingIndex, vulnerabilityId, why }) => ({
        symbol: { text: '↳', tone: 'cyan' },
        text: described(findingIndex),
        below: [{ text: `${vulnerabilityId}: ${why}`, tone: 'dim' }],
      })),
    ),
    list(
      `Present before (${presentBefore.length}${counted})`,
      'dim',
      presentBefore.map((index) => ({ symbol: { text: '·', tone: 'dim' }, text: described(index) })),
    ),
  ];
}

function categoryTable({ results }: ScoredBlue): Block {
  const categories = Object.entries(results.breakdowns.category);
  return table(categories.length < 2 ? [] : categories, [
    { header: 'Category', priority: 5, min: 8, cell: ([category]) => category },
    figure('Found', 4, ([, { found, vulnerabilities }]) => `${found}/${vulnerabilities}`),
    figure('Recall', 3, ([, { recall }]) => formatPercent(recall)),
    {
      header: '',
      priority: 1,
      only: 'terminal',
      cell: ([, { recall }]) => ({ text: bar(recall, 16), tone: 'cyan', own: true }),
    },
  ]);
}

function modelLines({ results: { models } }: ScoredBlue): Text[] {
  if (!models) return [];
  const cost = formatCost({ usd: models.costUsd, at_least: models.costAtLeast }, 'cost unknown');
  const text = `A model was asked about ${formatPlural(models.asked, 'unclear pair')} (${formatPlural(models.calls, 'call')}, ${cost}); ${models.undecided} stayed undecided.`;
  return [{ text, tone: models.undecided > 0 ? 'magenta' : 'dim' }];
}

function gateLines({ blues }: ScoreSheet, { name, gate }: ScoredBlue): Text[] {
  const prefix = blues.length > 1 ? `${name}: ` : '';
  return gate.messages.map((message) =>
    gate.status === 'failed'
      ? { text: `✖ ${prefix}${message}`, tone: 'red' }
      : { text: `◌ ${prefix}${message}`, tone: 'magenta' },
  );
}

/** The documented formula ignores rule ids, places and synonyms, which is what scanners report. */
function advice({ matcher, blues, code }: ScoreSheet): string[] {
  const findings = blues.flatMap((blue) => blue.findings);
  const fromScanners = findings.some(({ rule_id }) => rule_id);
  const isLoose =
    code === null && blues.some(({ results }) => results.evaded.length > 0) && findings.some(hasNoAddress);
  return [
    ...(matcher === 'evidence' || !fromScanners
      ? []
      : ['→ The matcher evidence also compares rule ids, places and synonyms, and agrees with people more often.']),
    ...(isLoose
      ? ['→ Give the folder of the code (option source): what findings name loosely, or by a line, is looked up in it.']
      : []),
  ];
}

/** Nothing, or a description such as "the orders table". */
function hasNoAddress({ resource }: Finding): boolean {
  return [resource ?? ''].flat().every((name) => name === '' || /\s/.test(name));
}

/** What a scanner says it could not judge, in a sentence or two; null when it says nothing of the kind. */
function notJudgedText(vulnerabilities: readonly Vulnerability[], blue: ScoredBlue): string | null {
  const { name, notJudged } = blue;
  if (notJudged.length === 0) return null;
  const resources = formatPlural(new Set(notJudged.map(({ resource }) => resource)).size, 'resource');
  const evaded = evadedUnjudged(vulnerabilities, blue).size;
  const concerned = evaded === 0 ? '' : ` Among them are those for ${formatPlural(evaded, 'flaw')} that evaded it.`;
  const checks = formatPlural(notJudged.length, 'check');
  return `${name} could not judge ${checks} on ${resources}: they are neither findings nor passed.${concerned}`;
}
