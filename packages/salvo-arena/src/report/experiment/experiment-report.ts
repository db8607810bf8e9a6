import { type Look, type ReportDocument, type Text, toTerminal } from 'salvo/kit/report';
import { toLatex } from 'salvo/kit/report-files';
import { FEW_CLUSTERS } from 'salvo/kit/statistics';
import { formatCost, formatCount, formatInterval, formatMoney, formatPercent, formatPlural } from 'salvo/kit/stats';
import { safeLine, salvoCommand } from 'salvo/kit/text';
import type { ExperimentRecord } from '../../experiment/experiment-record.ts';
import { experimentCost } from '../../experiment/results/experiment-cost.ts';
import type { ExperimentResults } from '../../experiment/results/experiment-results.ts';
import { detailBlocks, detailNotes, structureWords } from './experiment-details.ts';
import { heatMap, recallMap } from './experiment-heat-map.ts';
import { comparisonTable, metricsTable, recallTable } from './experiment-tables.ts';

const MOST_FAILED = 10;

/** An experiment for people: what each Blue found, which Blue is better, and what could not be scored. */
export function experimentReport(results: ExperimentResults, width = Number.POSITIVE_INFINITY): ReportDocument {
  const { experiment, categories, techniques } = results;
  const [ofMetrics, ofPairs] = [metricsNotes(results), pairNotes(results)];
  return [
    { heading: experiment.name, lines: experimentState(results) },
    metricsTable(results, width, ofMetrics),
    ...heatMap(results, width),
    ...recallMap('Category', categories, results, width),
    recallTable('Category', categories, experiment.name),
    ...recallMap('Technique', techniques, results, width),
    recallTable('Technique', techniques, experiment.name),
    comparisonTable(results, width, ofPairs),
    ...detailBlocks(results),
    { lines: manifestLines(results) },
    { lines: failedLines(results) },
    {
      lines: [...ofMetrics, ...ofPairs, ...detailNotes(results), ...lastNotes(results)].map((text) => ({
        text,
        tone: 'dim',
      })),
    },
  ];
}

export function renderExperiment(results: ExperimentResults, look: Look): string {
  return toTerminal((width) => experimentReport(results, width), look, { narrowest: 40, widest: 140 });
}

/** The tables of an experiment for a paper. */
export function experimentLatex(results: ExperimentResults): string {
  const { experiment, games } = results;
  return toLatex(experimentReport(results), [
    `Salvo ${experiment.salvo_version}, experiment ${experiment.experiment_id}`,
    `${games.scored} of ${games.planned} games scored, ${games.failed} failed, ${games.missing} not played, seed ${experiment.plan.seed}`,
  ]);
}

const MOST_UNREADABLE = 10;

/** How many games were scored, and why not all. */
export function experimentState({
  experiment,
  games,
}: {
  experiment: ExperimentRecord;
  games: ExperimentResults['games'];
}): string[] {
  const counts = [`${formatCount(games.scored)} of ${formatPlural(games.planned, 'game')} scored`];
  if (games.failed > 0) counts.push(`${formatCount(games.failed)} failed`);
  if (games.missing > 0) counts.push(`${formatCount(games.missing)} not played`);
  const { unreadable = [] } = games;
  if (unreadable.length > 0) counts.push(`${formatCount(unreadable.length)} could not be read`);
  return [
    `${counts.join(', ')} (experiment ${experiment.experiment_id})`,
    ...(experiment.stop_reason === null ? [] : [`Stopped: ${safeLine(experiment.stop_reason, 1000)}.`]),
    ...unreadable.slice(0, MOST_UNREADABLE).map((message) => safeLine(message, 400)),
    ...(games.failed + games.missing > 0
      ? [`\`${salvoCommand()} experiment --resume ${experiment.experiment_id}\` plays what failed or is missing.`]
      : []),
  ];
}

function manifestLines({ manifests }: ExperimentResults): string[] {
  return manifests
    .filter(({ phantoms, unchecked }) => phantoms + unchecked > 0)
    .map(({ red, claimed, confirmed, phantoms, unchecked, accuracy }) => {
      const parts = [`${formatCount(confirmed)} of ${formatCount(claimed)} claims confirmed`];
      if (phantoms > 0) parts.push(`${formatCount(phantoms)} not in the code`);
      if (unchecked > 0) parts.push(`${formatCount(unchecked)} unchecked`);
      const share = `manifest accuracy ${formatPercent(accuracy.value)} (${formatInterval(accuracy.interval)})`;
      return `${red}: ${parts.join(', ')}; ${share}`;
    });
}

function failedLines({ failed, games }: ExperimentResults): Text[] {
  if (games.failed === 0) return [];
  const alike = [
    ...Map.groupBy(failed, (game) => `${failedSubject(game)}\0${game.error ?? 'no reason given'}`).values(),
  ].slice(0, MOST_FAILED);
  const listed = alike.flatMap((group): Text[] => {
    const [first] = group;
    if (!first) return [];
    const others = group.length === 1 ? '' : ` (and in ${formatPlural(group.length - 1, 'other game')})`;
    const where = `${first.game_id} ${failedSubject(first)} on ${first.task}${others}`;
    return [{ text: `✖ ${where}: ${first.error ?? 'no reason given'}`, tone: 'red' }];
  });
  const more = games.failed - alike.reduce((sum, group) => sum + group.length, 0);
  const rest = more > 0 ? [`and ${formatCount(more)} more; CSV lists all`] : [];
  return ['Failed games are not part of the results:', ...listed, ...rest];
}

function failedSubject({ failed_stage, red, blue }: ExperimentResults['failed'][number]): string {
  return failed_stage === 'red' ? red : failed_stage === 'blue' ? blue : `the ${failed_stage ?? 'game'}`;
}

/** Which precision the tables and the comparisons use. */
function precisionNote({ blues, comparisons, precision_used }: ExperimentResults): string {
  if (precision_used === 'twin') {
    return 'Precision, F1 and comparisons are by the clean twin: a finding that is also on the twin is a false alarm, a finding that a flaw caused is none.';
  }
  if (blues.every(({ by_twin }) => by_twin === null)) {
    return 'Precision is the classic one: no Blue looked at the clean twin in all games.';
  }
  const mixed = comparisons.some((pair) => pair.precision_used === 'classic');
  return `F1 is the classic one, because not every Blue looked at the clean twin (twin: always).${mixed ? ' Comparisons by classic precision have a *.' : ''}`;
}

function clusterWords({ clustered_by }: ExperimentResults): string {
  return clustered_by === 'structure' ? 'structures' : 'pieces of code';
}

function metricsNotes(results: ExperimentResults): string[] {
  if (results.games.scored === 0) return [];
  const clusters = clusterWords(results);
  return [
    `Recall and precision are pooled over games, F1 is their mean. Intervals: 95%, over ${results.clustered_by === 'structure' ? structureWords(results.structures) : clusters}.`,
    ...fewClusters(results.blues, clusters),
    precisionNote(results),
    ...(results.blues.some(({ by_twin }) => by_twin?.unresolved)
      ? ['Unresolved out: precision by the twin without false alarms about values that only evaluation finds.']
      : []),
    ...(results.beta === 1
      ? []
      : [`F${results.beta}: of pooled precision and recall; recall counts ${results.beta} times as much.`]),
    'Clean flagged: the share of resources without a flaw that Blue reports. J: recall minus this share; 1 is perfect, 0 is as good as silence.',
  ];
}

function pairNotes(results: ExperimentResults): string[] {
  if (results.comparisons.length === 0) return [];
  return [
    'Only one found: flaws that only the first Blue found, and only the second. Odds: the ratio of the two. d: Cohen’s d of the differences in F1.',
    `p: exact McNemar test, which treats vulnerabilities as independent; p (F1): permutation test that swaps whole ${clusterWords(results)}; both corrected for all pairs (Holm).`,
  ];
}

function lastNotes(results: ExperimentResults): string[] {
  const { lost } = results.cost_usd;
  const again = lost > 0 ? `, of which ${formatMoney(lost)} for games that were lost or played again` : '';
  return [
    `Cost ${formatCost(experimentCost(results))}${again}.`,
    `\`${salvoCommand()} view ${results.experiment.experiment_id}\` shows every game in a browser.`,
  ];
}

function fewClusters(blues: ExperimentResults['blues'], clusters: string): string[] {
  const fewest = Math.min(...blues.map((metrics) => metrics.clusters));
  // One has no interval at all.
  if (fewest >= FEW_CLUSTERS || fewest < 2) return [];
  return [`Only ${fewest} ${clusters}: the intervals are wide, and a few more games can change much.`];
}
