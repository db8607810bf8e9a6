import type { ExperimentRecord } from '../../arena/experiment/experiment-record.ts';
import type { ExperimentResults } from '../../arena/experiment/results/experiment-results.ts';
import { safeLine } from '../../text/safe-text.ts';
import { plainSigns } from '../terminal/ascii.ts';
import { formatCount, formatInterval, formatMoney, formatPercent, formatPlural } from '../terminal/format.ts';
import { joinBlocks } from '../terminal/join-blocks.ts';
import { createStyle, type Style } from '../terminal/style.ts';
import { wrap } from '../terminal/wrap.ts';
import { renderHeatMap, renderShares } from './experiment-heat-map.ts';
import { renderComparisons, renderFigures } from './experiment-tables.ts';

const WIDEST = 140;
const NARROWEST = 40;
const MOST_FAILED = 10;

/** An experiment for people: what each Blue found, of what, who is better than whom, and what could not be scored. */
export function renderExperiment(
  results: ExperimentResults,
  options: { width: number; color: boolean; ascii?: boolean | undefined },
): string {
  const style = createStyle(options.color);
  const look = { style, width: Math.max(NARROWEST, Math.min(WIDEST, options.width)) };
  const wrapped = (line: string) => wrap(line, look.width);
  const blocks = [
    [style.bold(safeLine(results.experiment.name, look.width)), ...experimentState(results).flatMap(wrapped)],
    renderFigures(results, look),
    renderHeatMap(results, look),
    renderShares('Category', results.categories, results, look),
    renderShares('Technique', results.techniques, results, look),
    renderComparisons(results, look),
    manifestLines(results).flatMap(wrapped),
    failedLines(results, style).flatMap(wrapped),
    notes(results).flatMap(wrapped).map(style.dim),
  ];
  const text = joinBlocks(blocks);
  return options.ascii ? plainSigns(text) : text;
}

/** How far it came, and why not further. */
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
  return [
    `${counts.join(', ')} (experiment ${experiment.experiment_id})`,
    ...(experiment.stop_reason === null ? [] : [`Stopped: ${safeLine(experiment.stop_reason, 400)}.`]),
    ...(games.failed + games.missing > 0
      ? [`\`salvo ${resumeCommand(experiment)}\` plays what failed or is missing.`]
      : []),
  ];
}

function resumeCommand({ experiment_id }: ExperimentRecord): string {
  return `experiment --resume ${experiment_id}`;
}

function manifestLines({ manifests }: ExperimentResults): string[] {
  return manifests
    .filter(({ phantoms, unchecked }) => phantoms + unchecked > 0)
    .map(({ red, claimed, confirmed, phantoms, unchecked, accuracy }) => {
      const parts = [`${formatCount(confirmed)} of ${formatCount(claimed)} claims confirmed`];
      if (phantoms > 0) parts.push(`${formatCount(phantoms)} not in the code`);
      if (unchecked > 0) parts.push(`${formatCount(unchecked)} unchecked`);
      const share = `manifest accuracy ${formatPercent(accuracy.value)} (${formatInterval(accuracy.interval)})`;
      return `${safeLine(red, 40)}: ${parts.join(', ')}; ${share}`;
    });
}

function failedLines({ failed, games }: ExperimentResults, style: Style): string[] {
  if (games.failed === 0) return [];
  const shown = failed.slice(0, MOST_FAILED).map(({ game_id, failed_stage, red, blue, task, error }) => {
    const who = failed_stage === 'red' ? red : failed_stage === 'blue' ? blue : `the ${failed_stage ?? 'game'}`;
    return style.red(safeLine(`✖ ${game_id} ${who} on ${task}: ${error ?? 'no reason given'}`, 300));
  });
  const more = games.failed - shown.length;
  return [
    'Failed games are in none of the figures:',
    ...shown,
    ...(more > 0 ? [`and ${formatCount(more)} more; --csv lists all`] : []),
  ];
}

function notes({ clustered_by, comparisons, cost_usd, games }: ExperimentResults): string[] {
  const { red, blue, judge, known } = cost_usd;
  const isKnown = red !== null && blue !== null && judge !== null;
  const clusters = clustered_by === 'task' ? 'tasks' : 'pieces of code';
  return [
    ...(games.scored > 0
      ? [
          `Recall and precision are pooled over games, F1 is their mean. Intervals: 95%, by a bootstrap over ${clusters}.`,
        ]
      : []),
    ...(comparisons.length > 0
      ? [
          `p: exact McNemar test, which takes vulnerabilities for independent; p (F1): permutation test that swaps whole ${clusters}; both corrected for all pairs (Holm).`,
        ]
      : []),
    `Cost ${isKnown ? formatMoney(known) : `unknown, at least ${formatMoney(known)}`}.`,
  ];
}
