import type { DatabaseSync } from 'node:sqlite';
import { redOutcomeSchema } from '../../arena/experiment/stored-code.ts';
import { type Game, gameSchema } from '../../arena/game/game-document.ts';
import type { RedOutcome } from '../../arena/red/red-team.ts';
import { SalvoError } from '../../text/salvo-error.ts';
import type { Write } from './blob-table.ts';
import { type Decoder, encode } from './document-codec.ts';
import { isForeignKeyError } from './sqlite-error.ts';

/** Games of experiments, and the code that they are played on. */
export interface GameTable {
  save(game: Game): Write;
  /** The first games, or the next ones after a game, in order: one page. */
  page(query: { experimentId: string; after: Game | undefined; size: number }): Game[];
  saveCode(experimentId: string, codeKey: string, outcome: RedOutcome): Write;
  getCode(experimentId: string, codeKey: string): RedOutcome | null;
}

export function gameTable(database: DatabaseSync, decode: Decoder): GameTable {
  const upsert = database.prepare(
    `INSERT INTO games (experiment_id, game_id, game) VALUES (?, ?, ?)
     ON CONFLICT (experiment_id, game_id) DO UPDATE SET game = excluded.game`,
  );
  const selectPage = database.prepare(
    'SELECT game FROM games WHERE experiment_id = ? AND game_id > ? ORDER BY game_id LIMIT ?',
  );
  const upsertCode = database.prepare(
    `INSERT INTO game_code (experiment_id, code_key, outcome) VALUES (?, ?, ?)
     ON CONFLICT (experiment_id, code_key) DO UPDATE SET outcome = excluded.outcome`,
  );
  const selectCode = database.prepare('SELECT outcome FROM game_code WHERE experiment_id = ? AND code_key = ?');

  function writing(what: string, document: unknown, experimentId: string, run: (text: string) => void): Write {
    const { document: text, blobs } = encode(what, document);
    return {
      blobs,
      change() {
        try {
          run(text);
        } catch (cause) {
          throw isForeignKeyError(cause) ? unknownExperiment(experimentId, cause) : cause;
        }
      },
    };
  }

  return {
    save(game) {
      const { experiment_id: experimentId, game_id } = game;
      if (experimentId === null) {
        throw new SalvoError('STORE_UNKNOWN_EXPERIMENT', `The game ${game_id} can't be stored: it has no experiment.`);
      }
      return writing(`The game ${game_id}`, game, experimentId, (text) => upsert.run(experimentId, game_id, text));
    },
    page: ({ experimentId, after, size }) =>
      selectPage
        .all(experimentId, after?.game_id ?? '', size)
        .map(({ game }) => decode(`A game of the experiment ${experimentId}`, gameSchema, String(game))),
    saveCode: (experimentId, codeKey, outcome) =>
      writing(`The code ${codeKey}`, outcome, experimentId, (text) => upsertCode.run(experimentId, codeKey, text)),
    getCode(experimentId, codeKey) {
      const outcome = selectCode.get(experimentId, codeKey)?.outcome;
      return outcome === undefined ? null : decode(`The code ${codeKey}`, redOutcomeSchema, String(outcome));
    },
  };
}

function unknownExperiment(experimentId: string, cause: unknown): SalvoError {
  const message = `There is no experiment ${experimentId} to store a game of.`;
  return new SalvoError('STORE_UNKNOWN_EXPERIMENT', message, { cause });
}
