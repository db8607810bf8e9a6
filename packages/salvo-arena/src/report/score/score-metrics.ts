import { type Block, bar, figure, type Text, table } from 'salvo/kit/report';
import { formatInterval, formatPercent, formatPlural, twoDigits } from 'salvo/kit/stats';
import { definedScoreRates, fBetaOf } from '../../match/results/defined-rates.ts';
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
function scoreMetrics(results: ScoreResults, beta: number): ScoreMetric[] {
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
  const { classic, byTwin, resolved } = definedScoreRates(results);
  const used = byTwin ?? classic;
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
    ...(results.unresolved?.length
      ? [
          metric('Unresolved out', resolved?.precision ?? null, {
            of: `without ${results.unresolved.length} unresolved`,
            interval: intervalText(intervals.precisionWithoutUnresolved),
            note: 'values that only evaluation finds',
          }),
        ]
      : []),
    metric(hasTwin ? 'Precision, classic' : 'Precision', classic.precision, {
      of: findings === 0 ? NOTHING_REPORTED : `${truePositives} of ${formatPlural(findings, 'finding')}`,
      interval: intervalText(intervals.precision),
      note: repeated,
      main: !hasTwin,
    }),
    ...(hasTwin ? [metric('F1 by twin', byTwin?.f1 ?? null, { main: true })] : []),
    metric(hasTwin ? 'F1, classic' : 'F1', classic.f1, { main: !hasTwin }),
    ...(beta === 1
      ? []
      : [
          metric(`F${beta}${hasTwin ? ' by twin' : ''}`, fBetaOf(used, beta), {
            note: `recall counts ${beta} times as much as precision`,
          }),
        ]),
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

/** The metrics as a table, in a terminal without a header. */
export function metricsTable(results: ScoreResults, beta = 1): Block {
  const toned = (text: string, { main }: ScoreMetric): Text => ({ text, ...(main && { tone: 'bold' }) });
  const dim = (text: string): Text => ({ text, tone: 'dim' });
  return table(
    scoreMetrics(results, beta),
    [
      { header: '', priority: 5, cell: (metric) => toned(metric.name, metric) },
      figure('Value', 6, (metric) => toned(metric.text, metric)),
      {
        header: '',
        priority: 1,
        only: 'terminal',
        cell: ({ main, value }) => ({ text: main && value !== null ? bar(value, 12) : '', tone: 'cyan', own: true }),
      },
      { header: 'Of', priority: 4, cell: ({ of }) => of },
      { header: '95% CI', priority: 3, cell: ({ interval }) => dim(interval) },
      { header: 'Note', priority: 2, min: 12, cell: ({ note }) => dim(note) },
    ],
    { bare: true },
  );
}

/** What several Blues are compared by, with a row for each. */
export function comparedMetrics(blues: readonly ScoredBlue[]): Block {
  const hasTwin = blues.some(({ results }) => results.precisionUsed === 'twin');
  const hasUnresolved = blues.some(({ results }) => results.unresolved?.length);
  const hasConsequences = blues.some(({ results }) => results.consequences.length > 0);
  return table(
    blues.map((blue) => ({ ...blue, ...definedScoreRates(blue.results) })),
    [
      { header: 'Blue', priority: 9, min: 8, cell: ({ name: text }) => ({ text, tone: 'bold' }) },
      figure('Recall', 9, ({ classic }) => formatPercent(classic.recall)),
      hasTwin && figure('Precision by twin', 8, ({ byTwin }) => formatPercent(byTwin?.precision ?? null)),
      hasUnresolved && figure('Unresolved out', 6, ({ resolved }) => formatPercent(resolved?.precision ?? null)),
      hasTwin && figure('F1 by twin', 7, ({ byTwin }) => formatPercent(byTwin?.f1 ?? null)),
      figure(hasTwin ? 'Classic' : 'Precision', 6, ({ classic }) => formatPercent(classic.precision)),
      !hasTwin && figure('F1', 5, ({ classic }) => formatPercent(classic.f1)),
      figure('Evasion', 3, ({ classic }) => formatPercent(classic.evasion)),
      figure('Findings', 2, ({ findings }) => String(findings.length)),
      figure('False alarms', 4, ({ results }) => String((results.falseAlarmsByTwin ?? results.falseAlarms).length)),
      hasConsequences && figure('Consequences', 1, ({ results }) => String(results.consequences.length)),
      figure('Duplicates', 1, ({ results }) => String(results.duplicates.length)),
    ],
  );
}

/** Findings without a match that are listed apart: consequences, weaknesses present before, unresolved values. */
export function explainedFindings({ consequences, presentBefore, unresolved }: ScoreResults): ReadonlySet<number> {
  return new Set([
    ...[...consequences, ...(unresolved ?? [])].map(({ findingIndex }) => findingIndex),
    ...presentBefore,
  ]);
}
