import type { DatabaseSync } from 'node:sqlite';
import { completeGame, type Decoder, encodeVersioned, isForeignKeyError, type Write } from 'salvo/kit/store';
import { SalvoError } from 'salvo/kit/text';
import { redOutcomeSchema } from '../../experiment/stored-code.ts';
import { type Game, gameSchema } from '../../game/game-document.ts';
import { type GameSheet, gameSheetSchema } from '../../game/game-sheet.ts';
import type { RedOutcome } from '../../red/red-team.ts';
import { type LostCost, replacedCost } from '../replaced-cost.ts';

/** Games of experiments, and the code that they are played on. */
export interface GameTable {
  save(game: Game, sheet: GameSheet | null): Write;
  /** The first games, or the next ones after a game, in order: one page. */
  page(query: { experimentId: string; after: Game | undefined; size: number }): Game[];
  pageAt(experimentId: string, page: { offset: number; limit: number }): Game[];
  get(experimentId: string, gameId: string): { game: Game; sheet: GameSheet | null } | null;
  saveCode(experimentId: string, codeKey: string, outcome: RedOutcome): Write;
  getCode(experimentId: string, codeKey: string): RedOutcome | null;
  codeKeys(experimentId: string): string[];
  addLost(experimentId: string, lost: LostCost): Write;
  lostCost(experimentId: string): number;
}

export function gameTable(database: DatabaseSync, decode: Decoder): GameTable {
  const upsert = database.prepare(
    `INSERT INTO games (experiment_id, game_id, game, sheet) VALUES (?, ?, ?, ?)
     ON CONFLICT (experiment_id, game_id) DO UPDATE SET game = excluded.game, sheet = excluded.sheet`,
  );
  const selectPage = database.prepare(
    'SELECT game_id, game FROM games WHERE experiment_id = ? AND game_id > ? ORDER BY game_id LIMIT ?',
  );
  const selectPageAt = database.prepare(
    'SELECT game_id, game FROM games WHERE experiment_id = ? ORDER BY game_id LIMIT ? OFFSET ?',
  );
  const selectGame = database.prepare('SELECT game, sheet FROM games WHERE experiment_id = ? AND game_id = ?');
  const upsertCode = database.prepare(
    `INSERT INTO game_code (experiment_id, code_key, outcome) VALUES (?, ?, ?)
     ON CONFLICT (experiment_id, code_key) DO UPDATE SET outcome = excluded.outcome`,
  );
  const selectCodeKeys = database.prepare('SELECT code_key FROM game_code WHERE experiment_id = ? ORDER BY code_key');
  const selectCode = database.prepare('SELECT outcome FROM game_code WHERE experiment_id = ? AND code_key = ?');

  const insertLost = database.prepare(
    'INSERT OR IGNORE INTO lost_costs (experiment_id, loss_id, usd) VALUES (?, ?, ?)',
  );
  const selectLost = database.prepare('SELECT total(usd) AS usd FROM lost_costs WHERE experiment_id = ?');

  function writing(what: string, document: object, experimentId: string, run: (text: string) => void): Write {
    const { document: text, blobs } = encodeVersioned(what, document);
    return { blobs, change: () => ofExperiment(experimentId, () => run(text)) };
  }

  function keepReplaced(experimentId: string, gameId: string, next: string): void {
    const stored = selectGame.get(experimentId, gameId)?.game;
    const lost = stored === undefined ? null : replacedCost(gameId, String(stored), next);
    if (lost) insertLost.run(experimentId, lost.id, lost.usd);
  }

  const decodeGame = (experimentId: string, { game_id, game }: Record<string, unknown>) =>
    decode(`The game ${game_id} of the experiment ${experimentId}`, gameSchema, String(game), completeGame);

  return {
    save(game, sheet) {
      const { experiment_id: experimentId, game_id } = game;
      if (experimentId === null) {
        throw new SalvoError('EXPERIMENT_UNKNOWN', `The game ${game_id} can't be stored: it has no experiment.`);
      }
      const kept = sheet && encodeVersioned(`The sheet of the game ${game_id}`, sheet);
      const { blobs, change } = writing(`The game ${game_id}`, game, experimentId, (text) => {
        keepReplaced(experimentId, game_id, text);
        upsert.run(experimentId, game_id, text, kept?.document ?? null);
      });
      return { blobs: new Map([...blobs, ...(kept?.blobs ?? [])]), change };
    },
    page: ({ experimentId, after, size }) =>
      selectPage.all(experimentId, after?.game_id ?? '', size).map((row) => decodeGame(experimentId, row)),
    pageAt: (experimentId, { offset, limit }) =>
      selectPageAt.all(experimentId, limit, offset).map((row) => decodeGame(experimentId, row)),
    get(experimentId, gameId) {
      const row = selectGame.get(experimentId, gameId);
      if (row === undefined) return null;
      const { sheet } = row;
      return {
        game: decodeGame(experimentId, { ...row, game_id: gameId }),
        sheet: sheet === null ? null : decode(`The sheet of the game ${gameId}`, gameSheetSchema, String(sheet)),
      };
    },
    saveCode: (experimentId, codeKey, outcome) =>
      writing(`The code ${codeKey}`, outcome, experimentId, (text) => upsertCode.run(experimentId, codeKey, text)),
    codeKeys: (experimentId) => selectCodeKeys.all(experimentId).map((row) => String(row.code_key)),
    getCode(experimentId, codeKey) {
      const outcome = selectCode.get(experimentId, codeKey)?.outcome;
      return outcome === undefined ? null : decode(`The code ${codeKey}`, redOutcomeSchema, String(outcome));
    },
    addLost: (experimentId, { id, usd }) => ({
      blobs: new Map(),
      change: () => ofExperiment(experimentId, () => insertLost.run(experimentId, id, usd)),
    }),
    lostCost: (experimentId) => Number(selectLost.get(experimentId)?.usd),
  };
}

function ofExperiment(experimentId: string, change: () => unknown): void {
  try {
    change();
  } catch (cause) {
    throw isForeignKeyError(cause) ? unknownExperiment(experimentId, cause) : cause;
  }
}

function unknownExperiment(experimentId: string, cause: unknown): SalvoError {
  const message = `There is no experiment ${experimentId} to store a game of.`;
  return new SalvoError('EXPERIMENT_UNKNOWN', message, { cause });
}
