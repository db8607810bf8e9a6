import type { SchemaPart } from '../postgres/migrate-schema.ts';

/**
 * What pg-boss has no place for. Documents are JSON as text: `jsonb` refuses characters that a name may have. The jobs
 * themselves are in the schema of pg-boss. When a new version of pg-boss changes its tables, an entry is added here, too
 * (an empty one if need be): an older Salvo then says that the database is newer, and not that it lacks tables.
 */
export const WORK_TABLES: SchemaPart = {
  name: 'work',
  migrations: [
    `CREATE TABLE salvo.work_orders (
      kind text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      generation bigint NOT NULL,
      document text NOT NULL,
      queues text NOT NULL DEFAULT '[]',
      stops smallint NOT NULL DEFAULT 0,
      pointless text NOT NULL DEFAULT '[]',
      lead_id text,
      led_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (kind, id)
    );
    CREATE TABLE salvo.work_failures (
      kind text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      job_id uuid NOT NULL,
      number bigint GENERATED ALWAYS AS IDENTITY,
      document text NOT NULL,
      PRIMARY KEY (kind, id, job_id),
      FOREIGN KEY (kind, id) REFERENCES salvo.work_orders ON DELETE CASCADE
    );
    CREATE TABLE salvo.work_notices (
      kind text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      hash text NOT NULL,
      number bigint GENERATED ALWAYS AS IDENTITY,
      document text NOT NULL,
      PRIMARY KEY (kind, id, hash),
      FOREIGN KEY (kind, id) REFERENCES salvo.work_orders ON DELETE CASCADE
    );
    CREATE TABLE salvo.workers (
      worker_id text COLLATE "C" PRIMARY KEY,
      document text NOT NULL,
      seen_at timestamptz NOT NULL,
      held uuid[] NOT NULL DEFAULT '{}'
    );
    CREATE TABLE salvo.work_watch (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      since timestamptz NOT NULL,
      looked_at timestamptz NOT NULL
    );
    INSERT INTO salvo.work_watch (since, looked_at) VALUES (now(), '-infinity');
    CREATE TABLE salvo.parcel_files (
      hash text COLLATE "C" PRIMARY KEY,
      content bytea NOT NULL,
      used_at timestamptz NOT NULL DEFAULT now()
    )`,
    'ALTER TABLE salvo.work_orders ADD COLUMN is_over boolean NOT NULL DEFAULT false',
    'ALTER TABLE salvo.parcel_files RENAME TO bundle_files',
  ],
};
