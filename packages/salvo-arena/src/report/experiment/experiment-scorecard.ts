import { figure, type Look, type ReportDocument, type Text, type Tone, table, toTerminal } from 'salvo/kit/report';
import {
  formatCount,
  formatInterval,
  formatPercent,
  formatPlural,
  oneDigit,
  twoDigits,
  twoDigitsInterval,
} from 'salvo/kit/stats';
import type { Scorecard, ScorecardRow, ScorecardTotal } from '../../experiment/results/experiment-results.ts';
import { detailBlocks, detailNotes, structureWords } from './experiment-details.ts';
import { experimentState } from './experiment-report.ts';

export function renderScorecard(card: Scorecard, look: Look): string {
  return toTerminal(scorecardReport(card), look, { narrowest: 40 });
}

/** How a scanner does: by category, by difficulty, and as one score. */
export function scorecardReport(card: Scorecard): ReportDocument {
  // One language is the same as all.
  const languages = card.languages.length > 1 ? card.languages : [];
  const named = (name: string, row: ScorecardRow | ScorecardTotal, tone?: Tone) => ({ row, name, tone });
  const rows = [
    ...card.categories.map((row) => named(row.category, row)),
    ...card.difficulties.map((row) => named(row.difficulty, row, 'cyan')),
    ...languages.map((row) => named(row.language, row, 'cyan')),
    ...(card.overall.flaws > 0 ? [named('all', card.overall, 'bold')] : []),
  ];
  const hasUnresolved = card.overall.resolved_alarms !== null && card.overall.resolved_alarms < card.overall.alarms;
  return [
    { heading: card.experiment.name, lines: experimentState(card) },
    { lines: card.errors.map((error) => ({ text: `✖ ${error}`, tone: 'red' })) },
    table(rows, [
      { header: '', priority: 8, min: 12, cell: ({ name: text, tone }) => ({ text, tone }) },
      figure('Flaws', 4, ({ row }) => formatCount(row.flaws)),
      figure('Recall', 6, ({ row }) => formatPercent(row.recall.value)),
      figure('95% CI', 2, ({ row }) => formatInterval(row.recall.interval)),
      figure('Clean flagged', 6, ({ row }) => formatPercent(row.false_positive_rate.value)),
      figure('95% CI', 1, ({ row }) => formatInterval(row.false_positive_rate.interval)),
      // Empty for a category: alarms without a category would be counted several times.
      figure('Alarms/100', 5, ({ row }) =>
        'alarms_per_100_resources' in row ? oneDigit(row.alarms_per_100_resources) : '',
      ),
      hasUnresolved &&
        figure('Unresolved out', 4, ({ row }) =>
          'false_positive_rate_without_unresolved' in row
            ? formatPercent(row.false_positive_rate_without_unresolved)
            : '',
        ),
      figure('J', 7, ({ row }) => twoDigits(row.youden_j.value)),
      figure('95% CI', 3, ({ row }) => twoDigitsInterval(row.youden_j.interval)),
    ]),
    { lines: scoreLines(card) },
    ...detailBlocks(card),
    { lines: [...precisionLines(card), ...detailNotes(card), MEASURED].map((text) => ({ text, tone: 'dim' })) },
  ];
}

function scoreLines({ score, categories, overall, structures }: Scorecard): Text[] {
  if (score.value === null) return ['No game could be scored.'];
  const interval = score.interval === null ? '' : ` (95% CI ${twoDigitsInterval(score.interval)})`;
  const words = `Score ${twoDigits(score.value)}${interval}: the mean J of ${formatPlural(categories.length, 'category')}`;
  return [
    { text: words, tone: 'bold' },
    `${formatPlural(overall.flaws, 'flaw')}, and ${formatPlural(overall.resources, 'resource')} of the same code without them, which had ${formatPlural(overall.alarms, 'alarm')}. A finding that is in both is no detection. J is recall minus the share of clean resources that are flagged: 1 is perfect, 0 is as good as silence. Alarms/100: alarms per 100 clean resources. Intervals: 95%, over ${structureWords(structures)}.`,
  ];
}

const MEASURED =
  'docs/arena.md, "What the benchmark measures, and what it does not", says how far these figures can be trusted.';

/** Precision by the twin, the same without what is unresolved, and F-beta. */
function precisionLines({ metrics, beta, accepted_ids }: Scorecard): string[] {
  if (!metrics?.by_twin) return [];
  const { by_twin, f_beta } = metrics;
  const { precision, unresolved, precision_without_unresolved: without } = by_twin;
  const apart =
    unresolved === null || unresolved === 0
      ? ''
      : `; ${formatPercent(without.value)} (${formatInterval(without.interval)}) without ${formatCount(unresolved)} unresolved, which are false alarms about values that only evaluation finds`;
  const ids = accepted_ids.map((each) => each.ids.length);
  return [
    `Precision by the twin ${formatPercent(precision.value)} (${formatInterval(precision.interval)})${apart}. F${beta} ${twoDigits(f_beta.value)} (${twoDigitsInterval(f_beta.interval)}).`,
    `Planted: ${formatCount(ids.length)} different weaknesses. ${formatCount(ids.filter((count) => count > 0).length)} of them are known under ids of scanners, ${oneDigit(ids.reduce((sum, count) => sum + count, 0) / Math.max(1, ids.length))} on average (accepted_ids in the JSON document).`,
  ];
}
