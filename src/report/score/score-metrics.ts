import type { Interval, ScoreResults } from '../../match/results/score-results.ts';
import { formatInterval, formatPercent, formatPlural } from '../terminal/format.ts';

export interface ScoreMetric {
  name: string;
  value: number | null;
  /** `8 of 12`. */
  of: string;
  interval: string;
  note: string;
  /** One of the four that the whole is about. */
  main: boolean;
}

/** The figures of a game in the order people read them; what nothing was given for is left out. */
export function scoreMetrics(results: ScoreResults): ScoreMetric[] {
  const { truePositives, falsePositives, falseNegatives, duplicates, intervals, anchors } = results;
  const vulnerabilities = truePositives + falseNegatives;
  const findings = truePositives + falsePositives;
  const figure = (name: string, value: number | null, rest: Partial<ScoreMetric> = {}): ScoreMetric => ({
    name,
    value,
    of: '',
    interval: '',
    note: '',
    main: false,
    ...rest,
  });
  const repeated =
    duplicates.length === 0
      ? ''
      : `${formatPercent(results.precisionWithoutDuplicates)} without ${formatPlural(duplicates.length, 'duplicate')}`;
  return [
    figure('Recall', results.recall, {
      of: `${truePositives} of ${vulnerabilities} found`,
      interval: intervalWords(intervals.recall),
      note: `${formatPercent(results.severityWeightedRecall)} by severity`,
      main: true,
    }),
    figure('Precision', results.precision, {
      of: `${truePositives} of ${formatPlural(findings, 'finding')}`,
      interval: intervalWords(intervals.precision),
      note: repeated,
      main: true,
    }),
    figure('F1', results.f1Score, { main: true }),
    figure('Evasion', results.evasionRate, {
      of: `${falseNegatives} evaded`,
      interval: intervalWords(intervals.evasionRate),
      main: true,
    }),
    ...(anchors
      ? [
          figure('Corroborated', anchors.corroborationRate, { of: 'of the matches' }),
          figure('Adjusted precision', anchors.adjustedPrecision, { of: 'supported alarms out' }),
          figure('Manifest accuracy', anchors.manifestAccuracy, { note: phantomWords(anchors.phantoms) }),
          figure('Adjusted recall', anchors.adjustedRecall, { of: 'of the confirmed' }),
          figure('Phantom concordance', anchors.phantomConcordance, { of: 'of the phantoms' }),
          figure('False-positive rate', anchors.falsePositiveRate, { of: 'of clean resources' }),
          figure('Youden’s J', anchors.youdenJ),
        ].filter(({ value }) => value !== null)
      : []),
  ];
}

function intervalWords(interval: Interval | null): string {
  return interval === null ? '' : formatInterval([interval.low, interval.high]);
}

function phantomWords(phantoms: readonly string[] | null): string {
  return phantoms && phantoms.length > 0 ? `not in the code: ${phantoms.join(', ')}` : '';
}
