import { bar, type Canvas, renderTable } from 'salvo/kit/report';
import { formatInterval, formatPercent, formatPlural, twoDigits } from 'salvo/kit/stats';
import { definedScoreRates } from '../../match/results/defined-rates.ts';
import type { Interval, ScoreResults } from '../../match/results/score-results.ts';
import type { ScoredBlue } from './score-sheet.ts';

interface ScoreMetric {
  name: string;
  /** Null if it is not defined. */
  value: number | null;
  /** The value as it is shown. */
  text: string;
  /** `8 of 12`. */
  of: string;
  interval: string;
  note: string;
  /** One of the four main metrics. */
  main: boolean;
}

const NOTHING_REPORTED = 'nothing reported';

/** The metrics of one Blue in reading order. Those that nothing is known about are left out. */
export function scoreMetrics(results: ScoreResults): ScoreMetric[] {
  const { truePositives, falsePositives, falseNegatives, duplicates, intervals, anchors } = results;
  const vulnerabilities = truePositives + falseNegatives;
  const findings = truePositives + falsePositives;
  const metric = (name: string, value: number | null, rest: Partial<ScoreMetric> = {}): ScoreMetric => ({
    name,
    value,
    text: formatPercent(value),
    of: '',
    interval: '',
    note: '',
    main: false,
    ...rest,
  });
  const hasTwin = results.precisionUsed === 'twin';
  const { classic, byTwin } = definedScoreRates(results);
  const repeated =
    duplicates.length === 0
      ? ''
      : `${formatPercent(results.precisionWithoutDuplicates)} without ${formatPlural(duplicates.length, 'duplicate')}`;
  return [
    metric('Recall', classic.recall, {
      of: vulnerabilities === 0 ? 'nothing to find' : `${truePositives} of ${vulnerabilities} found`,
      interval: intervalText(intervals.recall),
      note: vulnerabilities === 0 ? '' : `${formatPercent(results.severityWeightedRecall)} by severity`,
      main: true,
    }),
    ...(results.falseAlarmsByTwin === null
      ? []
      : [
          metric('Precision by twin', byTwin?.precision ?? null, {
            of:
              findings === 0
                ? NOTHING_REPORTED
                : `${truePositives} found, ${formatPlural(results.falseAlarmsByTwin.length, 'false alarm')}`,
            interval: intervalText(intervals.precisionByTwin),
            note: apartText(results),
            main: true,
          }),
        ]),
    metric(hasTwin ? 'Precision, classic' : 'Precision', classic.precision, {
      of: findings === 0 ? NOTHING_REPORTED : `${truePositives} of ${formatPlural(findings, 'finding')}`,
      interval: intervalText(intervals.precision),
      note: repeated,
      main: !hasTwin,
    }),
    ...(hasTwin ? [metric('F1 by twin', byTwin?.f1 ?? null, { main: true })] : []),
    metric(hasTwin ? 'F1, classic' : 'F1', classic.f1, { main: !hasTwin }),
    metric('Evasion', classic.evasion, {
      of: `${falseNegatives} evaded`,
      interval: intervalText(intervals.evasionRate),
      main: true,
    }),
    ...(anchors
      ? [
          metric('Corroborated', anchors.corroborationRate, { of: 'of the matches' }),
          metric('Adjusted precision', anchors.adjustedPrecision, { of: 'supported alarms out' }),
          metric('Manifest accuracy', anchors.manifestAccuracy, { note: phantomText(anchors.phantoms) }),
          metric('Adjusted recall', anchors.adjustedRecall, { of: 'of the confirmed' }),
          metric('Phantom concordance', anchors.phantomConcordance, { of: 'of the phantoms' }),
          metric('False-positive rate', anchors.falsePositiveRate, { of: 'of clean resources' }),
          metric('Youden’s J', anchors.youdenJ, {
            text: twoDigits(anchors.youdenJ),
            of: 'recall minus that rate',
          }),
        ].filter(({ value }) => value !== null)
      : []),
  ];
}

/** The findings that count neither as right nor as wrong. */
function apartText({ consequences, duplicates, presentBefore }: ScoreResults): string {
  const parts = [
    ...(consequences.length > 0 ? [formatPlural(consequences.length, 'consequence')] : []),
    ...(duplicates.length > 0 ? [formatPlural(duplicates.length, 'duplicate')] : []),
    ...(presentBefore.length > 0 ? [`${presentBefore.length} present before`] : []),
  ];
  return parts.length === 0 ? 'used here' : `used here; apart: ${parts.join(', ')}`;
}

function intervalText(interval: Interval | null): string {
  return interval === null ? '' : formatInterval([interval.low, interval.high]);
}

function phantomText(phantoms: readonly string[] | null): string {
  return phantoms && phantoms.length > 0 ? `not in the code: ${phantoms.join(', ')}` : '';
}

/** The metrics as a table without a header. */
export function renderScoreMetrics(results: ScoreResults, { width, style }: Canvas): string[] {
  return renderTable({
    columns: [
      { key: 'name', header: '', priority: 5 },
      { key: 'value', header: '', align: 'right', priority: 6 },
      { key: 'bar', header: '', priority: 1 },
      { key: 'of', header: '', priority: 4 },
      { key: 'interval', header: '', priority: 3 },
      { key: 'note', header: '', priority: 2, min: 12 },
    ],
    rows: scoreMetrics(results).map(({ name, value, text, of, interval, note, main }) => {
      const paint = main ? style.bold : (text: string) => text;
      return {
        name: { text: name, paint },
        value: { text, paint },
        bar: { text: main && value !== null ? bar(value, 12) : '', paint: style.cyan },
        of: { text: of },
        interval: { text: interval, paint: style.dim },
        note: { text: note, paint: style.dim },
      };
    }),
    width,
    style,
  }).rows.flat();
}

interface ComparedMetric {
  header: string;
  priority: number;
  text(blue: ScoredBlue): string;
}

/** What several Blues are compared by, in tables with a row for each. Columns that no Blue has a value for are left out. */
export function comparedMetrics(blues: readonly ScoredBlue[]): ComparedMetric[] {
  const hasTwin = blues.some(({ results }) => results.precisionUsed === 'twin');
  const hasConsequences = blues.some(({ results }) => results.consequences.length > 0);
  return [
    { header: 'Recall', priority: 9, text: ({ results }) => formatPercent(definedScoreRates(results).classic.recall) },
    ...(hasTwin
      ? [
          {
            header: 'Precision by twin',
            priority: 8,
            text: ({ results }: ScoredBlue) => formatPercent(definedScoreRates(results).byTwin?.precision ?? null),
          },
          {
            header: 'F1 by twin',
            priority: 7,
            text: ({ results }: ScoredBlue) => formatPercent(definedScoreRates(results).byTwin?.f1 ?? null),
          },
        ]
      : []),
    {
      header: hasTwin ? 'Classic' : 'Precision',
      priority: 6,
      text: ({ results }) => formatPercent(definedScoreRates(results).classic.precision),
    },
    ...(hasTwin
      ? []
      : [
          {
            header: 'F1',
            priority: 5,
            text: ({ results }: ScoredBlue) => formatPercent(definedScoreRates(results).classic.f1),
          },
        ]),
    {
      header: 'Evasion',
      priority: 3,
      text: ({ results }) => formatPercent(definedScoreRates(results).classic.evasion),
    },
    { header: 'Findings', priority: 2, text: ({ findings }) => String(findings.length) },
    {
      header: 'False alarms',
      priority: 4,
      text: ({ results }) => String((results.falseAlarmsByTwin ?? results.falseAlarms).length),
    },
    ...(hasConsequences
      ? [
          {
            header: 'Consequences',
            priority: 1,
            text: ({ results }: ScoredBlue) => String(results.consequences.length),
          },
        ]
      : []),
    { header: 'Duplicates', priority: 1, text: ({ results }) => String(results.duplicates.length) },
  ];
}

/** Findings without a match that are told apart from false alarms: consequences, and weaknesses present before. */
export function explainedFindings({ consequences, presentBefore }: ScoreResults): ReadonlySet<number> {
  return new Set([...consequences.map(({ findingIndex }) => findingIndex), ...presentBefore]);
}
