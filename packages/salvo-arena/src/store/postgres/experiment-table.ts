import { completeGame, type Decoder, encodeVersioned, readEach, type Store } from 'salvo/kit/store';
import { errorCode, SalvoError } from 'salvo/kit/text';
import { SCHEMA } from '../../../../salvo-postgres/src/postgres/migrate-schema.ts';
import type { Row, Transaction } from '../../../../salvo-postgres/src/postgres/postgres.ts';
import { columnText, textInColumn } from '../../../../salvo-postgres/src/store/column-text.ts';
import { NO_TEXTS, type StoreDatabase, type Write } from '../../../../salvo-postgres/src/store/store-database.ts';
import { type ExperimentRecord, experimentRecordSchema } from '../../experiment/experiment-record.ts';
import { redOutcomeSchema } from '../../experiment/stored-code.ts';
import { type Game, gameSchema } from '../../game/game-document.ts';
import { type GameSheet, gameSheetSchema } from '../../game/game-sheet.ts';
import type { RedOutcome } from '../../red/red-team.ts';
import { type LostCost, replacedCost } from '../replaced-cost.ts';

/** Experiments, their games, and the code that these are played on. */
export interface ExperimentTable {
  save(experiment: ExperimentRecord): Write;
  get(experimentId: string): Promise<ExperimentRecord | null>;
  list(query: NonNullable<Parameters<Store['listExperiments']>[0]>): Promise<ExperimentRecord[]>;
  findIds(prefix: string, limit: number): Promise<string[]>;

  saveGame(game: Game, sheet: GameSheet | null): Write;
  /** The first games, or the next ones after a game, in order: one page. */
  gamesAfter(query: { experimentId: string; after: Game | undefined; size: number }): Promise<Game[]>;
  gamesAt(experimentId: string, page: { offset: number; limit: number }): Promise<Game[]>;
  getGame(experimentId: string, gameId: string): Promise<{ game: Game; sheet: GameSheet | null } | null>;
  saveCode(experimentId: string, codeKey: string, outcome: RedOutcome): Write;
  getCode(experimentId: string, codeKey: string): Promise<RedOutcome | null>;
  codeKeys(experimentId: string): Promise<string[]>;
  addLost(experimentId: string, lost: LostCost): Write;
  lostCost(experimentId: string): Promise<number>;
  /** The rows of a query for `game_id` and `game`. */
  readGames(experimentId: string, rows: readonly Row[], decode: Decoder): Game[];
}

const EXPERIMENTS = `${SCHEMA}.experiments`;
const GAMES = `${SCHEMA}.games`;
const CODE = `${SCHEMA}.game_code`;
const LOST = `${SCHEMA}.lost_costs`;

export function experimentTable(database: StoreDatabase): ExperimentTable {
  const readRecord = (decode: Decoder, { record }: Row): ExperimentRecord =>
    decode('An experiment', experimentRecordSchema, String(record));

  function readGames(experimentId: string, rows: readonly Row[], decode: Decoder): Game[] {
    return rows.map(({ game_id, game }) => {
      const id = textInColumn(String(game_id));
      return decode(`The game ${id} of the experiment ${experimentId}`, gameSchema, String(game), completeGame);
    });
  }

  async function selectGames(experimentId: string, rest: string, values: unknown[], name: string): Promise<Game[]> {
    const { rows, decode } = await database.select(
      `SELECT game_id, game FROM ${GAMES} WHERE experiment_id = $1 ${rest}`,
      [columnText(experimentId), ...values],
      name,
    );
    return readGames(experimentId, rows, decode);
  }

  function writing(experimentId: string, texts: Write['texts'], change: (sql: Transaction) => Promise<unknown>): Write {
    return {
      texts,
      async change(sql) {
        try {
          await change(sql);
        } catch (cause) {
          throw errorCode(cause) === '23503' ? unknownExperiment(experimentId, cause) : cause;
        }
      },
    };
  }

  async function insertLost(sql: Transaction, experimentId: string, { id, usd }: LostCost): Promise<void> {
    await sql.query(`INSERT INTO ${LOST} (experiment_id, loss_id, usd) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, [
      columnText(experimentId),
      id,
      usd,
    ]);
  }

  return {
    save(experiment) {
      const { document, blobs } = encodeVersioned(`The experiment ${experiment.experiment_id}`, experiment);
      return {
        texts: blobs,
        async change(sql) {
          await sql.query(
            `INSERT INTO ${EXPERIMENTS} (experiment_id, record) VALUES ($1, $2)
             ON CONFLICT (experiment_id) DO UPDATE SET record = excluded.record`,
            [columnText(experiment.experiment_id), document],
          );
        },
      };
    },
    async get(experimentId) {
      const { rows, decode } = await database.select(`SELECT record FROM ${EXPERIMENTS} WHERE experiment_id = $1`, [
        columnText(experimentId),
      ]);
      const [record] = rows.map((row) => readRecord(decode, row));
      return record ?? null;
    },
    async list({ limit, onUnreadable }) {
      const { rows, decode } = await database.select(
        `SELECT experiment_id, record FROM ${EXPERIMENTS} ORDER BY seq DESC LIMIT $1`,
        [limit ?? null],
      );
      return readEach(
        rows,
        (row) => readRecord(decode, row),
        ({ experiment_id }, { why }) => onUnreadable?.({ experiment_id: textInColumn(String(experiment_id)), why }),
      );
    },
    async findIds(prefix, limit) {
      const rows = await database.postgres.query(
        `SELECT experiment_id FROM ${EXPERIMENTS} WHERE experiment_id >= $1 AND experiment_id < $1 || chr(1114111)
         ORDER BY seq DESC LIMIT $2`,
        [columnText(prefix), limit],
      );
      return rows.map((row) => textInColumn(String(row.experiment_id)));
    },

    saveGame(game, sheet) {
      const { experiment_id: experimentId, game_id } = game;
      if (experimentId === null) {
        throw new SalvoError('EXPERIMENT_UNKNOWN', `The game ${game_id} can't be stored: it has no experiment.`);
      }
      const encoded = encodeVersioned(`The game ${game_id}`, game);
      const kept = sheet && encodeVersioned(`The sheet of the game ${game_id}`, sheet);
      const key = [columnText(experimentId), columnText(game_id)];
      return writing(experimentId, new Map([...encoded.blobs, ...(kept?.blobs ?? [])]), async (sql) => {
        const [replaced] = await sql.query(
          `SELECT game FROM ${GAMES} WHERE experiment_id = $1 AND game_id = $2 FOR UPDATE`,
          key,
          'lock-game',
        );
        const lost = replaced ? replacedCost(game_id, String(replaced.game), encoded.document) : null;
        if (lost) await insertLost(sql, experimentId, lost);
        await sql.query(
          `INSERT INTO ${GAMES} (experiment_id, game_id, game, sheet, written)
           VALUES ($1, $2, $3, $4, pg_current_xact_id()) ON CONFLICT (experiment_id, game_id)
           DO UPDATE SET game = excluded.game, sheet = excluded.sheet, written = excluded.written`,
          [...key, encoded.document, kept?.document ?? null],
          'save-game',
        );
      });
    },
    gamesAfter: ({ experimentId, after, size }) =>
      selectGames(
        experimentId,
        'AND game_id > $2 ORDER BY game_id LIMIT $3',
        [columnText(after?.game_id ?? ''), size],
        'games-after',
      ),
    gamesAt: (experimentId, { offset, limit }) =>
      selectGames(experimentId, 'ORDER BY game_id LIMIT $2 OFFSET $3', [limit, offset], 'games-at'),
    async getGame(experimentId, gameId) {
      const { rows, decode } = await database.select(
        `SELECT game_id, game, sheet FROM ${GAMES} WHERE experiment_id = $1 AND game_id = $2`,
        [columnText(experimentId), columnText(gameId)],
      );
      const [row] = rows;
      const [game] = readGames(experimentId, rows, decode);
      if (!row || !game) return null;
      const what = `The sheet of the game ${gameId}`;
      return { game, sheet: row.sheet === null ? null : decode(what, gameSheetSchema, String(row.sheet)) };
    },
    saveCode(experimentId, codeKey, outcome) {
      const { document, blobs } = encodeVersioned(`The code ${codeKey}`, outcome);
      return writing(experimentId, blobs, (sql) =>
        sql.query(
          `INSERT INTO ${CODE} (experiment_id, code_key, outcome) VALUES ($1, $2, $3)
           ON CONFLICT (experiment_id, code_key) DO UPDATE SET outcome = excluded.outcome`,
          [columnText(experimentId), columnText(codeKey), document],
          'save-code',
        ),
      );
    },
    async getCode(experimentId, codeKey) {
      const { rows, decode } = await database.select(
        `SELECT outcome FROM ${CODE} WHERE experiment_id = $1 AND code_key = $2`,
        [columnText(experimentId), columnText(codeKey)],
      );
      const [row] = rows;
      return row ? decode(`The code ${codeKey}`, redOutcomeSchema, String(row.outcome)) : null;
    },
    async codeKeys(experimentId) {
      const rows = await database.postgres.query(
        `SELECT code_key FROM ${CODE} WHERE experiment_id = $1 ORDER BY code_key`,
        [columnText(experimentId)],
      );
      return rows.map((row) => textInColumn(String(row.code_key)));
    },
    addLost: (experimentId, lost) => writing(experimentId, NO_TEXTS, (sql) => insertLost(sql, experimentId, lost)),
    async lostCost(experimentId) {
      const [row] = await database.postgres.query(
        `SELECT coalesce(sum(usd), 0) AS usd FROM ${LOST} WHERE experiment_id = $1`,
        [columnText(experimentId)],
      );
      return Number(row?.usd);
    },
    readGames,
  };
}

function unknownExperiment(experimentId: string, cause: unknown): SalvoError {
  const message = `There is no experiment ${experimentId} to store a game of.`;
  return new SalvoError('EXPERIMENT_UNKNOWN', message, { cause });
}
