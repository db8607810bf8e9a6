import type { WorkModule } from 'salvo/kit/store';

/** Earlier versions of Salvo made these tables themselves, so they may be there already. Append only. */
export const EXPERIMENT_MIGRATIONS: WorkModule['migrations'] = {
  sqlite: [
    `
    CREATE TABLE IF NOT EXISTS @experiments (
      seq INTEGER PRIMARY KEY,         -- in order of creation, to tell apart experiments of the same millisecond
      experiment_id TEXT NOT NULL UNIQUE,
      created_at TEXT NOT NULL,
      record TEXT NOT NULL
    ) STRICT;

    CREATE TABLE IF NOT EXISTS @games (
      experiment_id TEXT NOT NULL REFERENCES experiments (experiment_id),
      game_id TEXT NOT NULL,
      game TEXT NOT NULL,
      sheet TEXT,                      -- manifest, findings and matches; null if it was not scored
      PRIMARY KEY (experiment_id, game_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE IF NOT EXISTS @game_code (
      experiment_id TEXT NOT NULL REFERENCES experiments (experiment_id),
      code_key TEXT NOT NULL,
      outcome TEXT NOT NULL,           -- what a model wrote and was paid for, with its manifest
      PRIMARY KEY (experiment_id, code_key)
    ) STRICT, WITHOUT ROWID;

    -- What was paid for games that were replaced, or not stored.
    CREATE TABLE IF NOT EXISTS @lost_costs (
      experiment_id TEXT NOT NULL REFERENCES experiments (experiment_id),
      loss_id TEXT NOT NULL,
      usd REAL NOT NULL,
      PRIMARY KEY (experiment_id, loss_id)
    ) STRICT, WITHOUT ROWID;
    `,
  ],
  postgres: [
    `
    CREATE TABLE IF NOT EXISTS @experiments (
      seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
      experiment_id text COLLATE "C" PRIMARY KEY,
      record text NOT NULL
    );

    CREATE TABLE IF NOT EXISTS @games (
      experiment_id text COLLATE "C" NOT NULL REFERENCES @experiments,
      game_id text COLLATE "C" NOT NULL,
      game text NOT NULL,
      sheet text,
      written xid8 NOT NULL,
      PRIMARY KEY (experiment_id, game_id)
    );
    CREATE INDEX IF NOT EXISTS games_by_change ON @games (experiment_id, written);

    CREATE TABLE IF NOT EXISTS @game_code (
      experiment_id text COLLATE "C" NOT NULL REFERENCES @experiments,
      code_key text COLLATE "C" NOT NULL,
      outcome text NOT NULL,
      PRIMARY KEY (experiment_id, code_key)
    );

    CREATE TABLE IF NOT EXISTS @lost_costs (
      experiment_id text COLLATE "C" NOT NULL REFERENCES @experiments,
      loss_id text COLLATE "C" NOT NULL,
      usd double precision NOT NULL,
      PRIMARY KEY (experiment_id, loss_id)
    );
    `,
  ],
};
