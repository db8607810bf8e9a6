import { createHash } from 'node:crypto';
import type { ChangedResults } from 'salvo/kit/queue';
import { knownUsd } from 'salvo/kit/stats';
import {
  type Change,
  type ColumnValue,
  type Completion,
  query,
  readPages,
  selectLocked,
  type TableEngine,
  type TableRow,
  type TableWrite,
  upsert,
} from 'salvo/kit/store';
import { isRecord, SalvoError } from 'salvo/kit/text';
import { gameCost } from '../game/game-cost.ts';
import { type Game, gameSchema } from '../game/game-document.ts';
import { type GameSheet, gameSheetSchema } from '../game/game-sheet.ts';
import { type RedOutcome, redOutcomeSchema } from '../red/red-team.ts';

/** How games of experiments are read, and the code that they are played on. */
export type StoredGames = Omit<ReturnType<typeof gameTables>, 'saveGame' | 'saveCode' | 'addLostCost'>;

const PAGE_SIZE = 100;

/** Games of experiments, and the code that they are played on. What writes is to be passed to `engine.write`. */
export function gameTables(engine: TableEngine) {
  const readGame =
    (experimentId: string) =>
    (row: TableRow): Game =>
      row.document(
        'game',
        `The game ${row.text('game_id')} of the experiment ${experimentId}`,
        gameSchema,
        completeGame,
      );

  function selectGames(experimentId: string, rest: string, values: ColumnValue[]): Promise<Game[]> {
    const text = `SELECT game_id, game FROM @games WHERE experiment_id = $1 ${rest}`;
    return engine.select(text, [experimentId, ...values], readGame(experimentId));
  }

  return {
    /** `stored`: the game without secrets. */
    saveGame: (game: Game, sheet: GameSheet | null) => gameWrite(engine, game, sheet),
    games: (experimentId: string): AsyncIterable<Game> =>
      readPages(
        (after: Game | undefined) =>
          selectGames(experimentId, 'AND game_id > $2 ORDER BY game_id LIMIT $3', [after?.game_id ?? '', PAGE_SIZE]),
        PAGE_SIZE,
      ),
    /** Games in order of their ids: a page of them. */
    gamePage: (experimentId: string, { offset, limit }: { offset: number; limit: number }) =>
      selectGames(experimentId, 'ORDER BY game_id LIMIT $2 OFFSET $3', [limit, offset]),
    /** A single game; null if it is not stored. Its sheet is null if it was not scored, or must not be recorded. */
    async getGame(experimentId: string, gameId: string): Promise<{ game: Game; sheet: GameSheet | null } | null> {
      const [found] = await engine.select(
        'SELECT game_id, game, sheet FROM @games WHERE experiment_id = $1 AND game_id = $2',
        [experimentId, gameId],
        (row) => ({
          game: readGame(experimentId)(row),
          sheet: row.isNull('sheet') ? null : row.document('sheet', `The sheet of the game ${gameId}`, gameSheetSchema),
        }),
      );
      return found ?? null;
    },
    /** Games that changed since a cursor (`WorkerAccess.cursor`): a page of them. */
    async changedGames(experimentId: string, since: string): Promise<ChangedResults<Game>> {
      const query = { table: 'games', id: experimentId, columns: 'game', cursor: since };
      const { rows, cursor } = await engine.changes(query, readGame(experimentId));
      return { results: rows, cursor };
    },
    /** Null if the code must not be stored. */
    saveCode(experimentId: string, codeKey: string, made: RedOutcome): TableWrite | null {
      // Redacted code is other code: its games could not be compared with the others.
      const outcome = engine.exactDocument(`The code ${codeKey}`, made);
      const key = { experiment_id: experimentId, code_key: codeKey };
      return (
        outcome && {
          to: experimentId,
          documents: [outcome],
          change: () => ofExperiment(engine, experimentId, upsert('game_code', key, { outcome })),
        }
      );
    },
    async getCode(experimentId: string, codeKey: string): Promise<RedOutcome | null> {
      const [outcome] = await engine.select(
        'SELECT outcome FROM @game_code WHERE experiment_id = $1 AND code_key = $2',
        [experimentId, codeKey],
        (row) => row.document('outcome', `The code ${codeKey}`, redOutcomeSchema),
      );
      return outcome ?? null;
    },
    /** The keys of the code that is kept for an experiment. */
    codeKeys: (experimentId: string) =>
      engine.select(
        'SELECT code_key FROM @game_code WHERE experiment_id = $1 ORDER BY code_key',
        [experimentId],
        (row) => row.text('code_key'),
      ),
    addLostCost: (experimentId: string, lost: LostCost): TableWrite => ({
      to: null,
      documents: [],
      change: () => ofExperiment(engine, experimentId, insertLost(experimentId, lost)),
    }),
    async lostCost(experimentId: string): Promise<number> {
      const text = 'SELECT coalesce(sum(usd), 0) AS usd FROM @lost_costs WHERE experiment_id = $1';
      const [usd] = await engine.select(text, [experimentId], (row) => row.number('usd'));
      return usd ?? 0;
    },
  };
}

function gameWrite(engine: TableEngine, given: Game, sheet: GameSheet | null): TableWrite & { stored: Game } {
  const game = engine.document(`The game ${given.game_id}`, gameSchema, given);
  const { experiment_id, game_id } = game.value;
  if (experiment_id === null) {
    throw new SalvoError('EXPERIMENT_UNKNOWN', `The game ${game_id} can't be stored: it has no experiment.`);
  }
  // Without its texts, a sheet says nothing that the game does not say.
  const kept =
    sheet && engine.keepsTexts ? engine.document(`The sheet of the game ${game_id}`, gameSheetSchema, sheet) : null;
  function* change(): Change {
    const [replaced] = yield* selectLocked('SELECT game FROM @games WHERE experiment_id = $1 AND game_id = $2', [
      ...[experiment_id, game_id],
    ]);
    const lost = replaced ? replacedCost(game_id, String(replaced.game), game.document) : null;
    if (lost) yield* insertLost(experiment_id ?? '', lost);
    yield* upsert('games', { experiment_id: experiment_id ?? '', game_id }, { game, sheet: kept });
  }
  return {
    stored: game.value,
    to: experiment_id,
    documents: kept ? [game, kept] : [game],
    change: () => ofExperiment(engine, experiment_id, change()),
  };
}

/** A game is refused unless its experiment is stored. */
function* ofExperiment(engine: TableEngine, experimentId: string, change: Change): Change {
  try {
    yield* change;
  } catch (cause) {
    if (!engine.isDangling(cause)) throw cause;
    const message = `There is no experiment ${experimentId} to store a game of.`;
    throw new SalvoError('EXPERIMENT_UNKNOWN', message, { cause });
  }
}

function* insertLost(experimentId: string, { id, usd }: LostCost): Change {
  const text = 'INSERT INTO @lost_costs (experiment_id, loss_id, usd) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
  yield* query(text, [experimentId, id, usd]);
}

/** Games of earlier versions, with the fields that came later: see `Completion`. */
const completeGame: Completion = (game) =>
  isRecord(game) && isRecord(game.scores) ? { ...game, scores: completeScores(game.scores) } : game;

/** Before Blue looked at the clean twin, only the classic precision was known. */
function completeScores(scores: Record<string, unknown>): Record<string, unknown> {
  const { vulnerabilities } = scores;
  const parts = { weakness: null, resource: null, found_by: null };
  return {
    ...{ precision_used: 'classic', precision_by_twin: null, f1_by_twin: null, false_alarms_by_twin: null },
    ...{ consequences: 0, present_before: 0, twin: null, other_findings: [], clean_alarms: [] },
    ...scores,
    vulnerabilities: Array.isArray(vulnerabilities)
      ? vulnerabilities.map((each) => (isRecord(each) ? { ...parts, ...each } : each))
      : vulnerabilities,
  };
}

const costsSchema = gameSchema.pick({
  ...{ red_cost_usd: true, blue_cost_usd: true, judge_cost_usd: true },
  ...{ red_cost_at_least: true, blue_cost_at_least: true, judge_cost_at_least: true },
});

/** A cost of an experiment that is in none of its games. One with the same id is kept once. */
interface LostCost {
  id: string;
  usd: number;
}

/**
 * What the stored game has cost that is replaced by another; null if nothing is known, or if it is the same game, which a
 * repeated transaction saves twice. Both are documents as they are stored: amounts are never kept apart from them.
 */
function replacedCost(gameId: string, stored: string, next: string): LostCost | null {
  if (stored === next) return null;
  const usd = knownUsd(gameCost(costsSchema.parse(JSON.parse(stored))));
  if (usd <= 0) return null;
  return {
    id: createHash('sha256')
      .update(JSON.stringify([gameId, stored]))
      .digest('hex')
      .slice(0, 32),
    usd,
  };
}
