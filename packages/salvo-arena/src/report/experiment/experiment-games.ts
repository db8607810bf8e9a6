import { createChunkedWriter, csvField, type Write } from 'salvo/kit/report-files';
import { harmlessJson } from 'salvo/kit/text';
import { definedGameRates } from '../../game/defined-game-rates.ts';
import type { Game } from '../../game/game-document.ts';

const COLUMNS = [
  'experiment_id',
  'game_id',
  'code_key',
  'task',
  'red',
  'blue',
  'difficulty',
  'language',
  'strategy',
  'repetition',
  'run',
  'seed',
  'template',
  'structure',
  'status',
  'failed_stage',
  'error',
  'claimed',
  'confirmed',
  'phantoms',
  'unchecked',
  'manifest_accuracy',
  'duration_seconds',
  'blue_seconds',
  'red_cost_usd',
  'blue_cost_usd',
  'judge_cost_usd',
] as const satisfies readonly (keyof Game)[];

const SCORES = [
  'true_positives',
  'false_positives',
  'false_negatives',
  'precision',
  'recall',
  'f1_score',
  'evasion_rate',
  'duplicates',
  'precision_used',
  'precision_by_twin',
  'f1_by_twin',
  'false_alarms_by_twin',
  'unresolved',
  'precision_without_unresolved',
  'consequences',
  'present_before',
  'clean_resources',
  'flagged_clean_resources',
  'false_positive_rate',
  'youden_j',
] as const satisfies readonly (keyof NonNullable<Game['scores']>)[];

/** With the prefix `twin_`. */
const TWIN = ['resources', 'flagged_resources', 'alarms', 'resolved_alarms', 'resolved_flagged_resources'] as const;

/** A rate that is not defined is empty, too: who reported nothing has no precision. */
function scoreFields(scores: Game['scores']) {
  if (!scores) return SCORES.map(() => null);
  const { classic, byTwin, resolved } = definedGameRates(scores);
  const shown = {
    ...scores,
    ...{ precision: classic.precision, recall: classic.recall, f1_score: classic.f1, evasion_rate: classic.evasion },
    ...{ precision_by_twin: byTwin?.precision ?? null, f1_by_twin: byTwin?.f1 ?? null },
    precision_without_unresolved: resolved?.precision ?? null,
  };
  return SCORES.map((column) => shown[column] ?? null);
}

/** One line per game. Failed games have empty scores, never 0. */
export async function writeExperimentCsv(
  games: AsyncIterable<Game> | Iterable<Game>,
  { write }: { write: Write },
): Promise<void> {
  const { add, flush } = createChunkedWriter(write);
  const names = [...COLUMNS, ...SCORES, ...TWIN.map((column) => `twin_${column}`), 'traps', 'traps_taken'];
  await add(`${names.join(',')}\r\n`);
  for await (const game of games) {
    const fields = [
      ...COLUMNS.map((column) => game[column] ?? null),
      ...scoreFields(game.scores),
      ...TWIN.map((column) => game.scores?.twin?.[column] ?? null),
      ...[game.scores?.traps?.places ?? null, game.scores?.traps?.alarmed ?? null],
    ];
    await add(`${fields.map(csvField).join(',')}\r\n`);
  }
  await flush();
}

/**
 * One complete game per line, with every vulnerability and what found it, and what became of every other finding: all
 * metrics can be computed and checked from it.
 */
export async function writeExperimentJsonl(
  games: AsyncIterable<Game> | Iterable<Game>,
  { write }: { write: Write },
): Promise<void> {
  const { add, flush } = createChunkedWriter(write);
  for await (const game of games) await add(`${harmlessJson(game)}\n`);
  await flush();
}
