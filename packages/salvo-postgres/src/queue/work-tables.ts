import type { SchemaPart } from '../postgres/migrate-schema.ts';

/**
 * The queue: orders, their jobs, what workers report, and the workers. Documents are JSON as text: `jsonb` refuses
 * characters that a name may have. Append only; an entry that has been released is never edited.
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
    // Jobs were in the tables of a library before. Work that was left to workers then is resumed with --resume.
    `DROP SCHEMA IF EXISTS salvo_jobs CASCADE;
    DELETE FROM salvo.work_orders;
    ALTER TABLE salvo.work_orders DROP COLUMN queues;
    ALTER TABLE salvo.work_orders ADD COLUMN label_sets text NOT NULL DEFAULT '[]';
    ALTER TABLE salvo.workers DROP COLUMN held;
    CREATE TABLE salvo.jobs (
      job_id uuid PRIMARY KEY,            -- a hash of the order, its generation and the key of the job
      kind text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      labels text COLLATE "C" NOT NULL,   -- a hash of the labels that a worker must have; empty without labels
      position bigint NOT NULL,           -- jobs with a smaller one are taken first
      group_id text COLLATE "C" NOT NULL, -- a hash of the group
      document text NOT NULL,
      state text COLLATE "C" NOT NULL DEFAULT 'waiting', -- waiting, active, ended, failed
      attempt integer NOT NULL DEFAULT 0,
      token integer NOT NULL DEFAULT 0,   -- increases whenever the job changes hands
      start_after timestamptz NOT NULL DEFAULT now(),
      worker_id text COLLATE "C",         -- who has it, or had it last
      renewed_at timestamptz,             -- when that worker was last heard of
      FOREIGN KEY (kind, id) REFERENCES salvo.work_orders ON DELETE CASCADE
    ) WITH (fillfactor = 80)`,
    'CREATE INDEX jobs_in_order ON salvo.jobs (kind, id, state, labels, position)',
    // When a worker that was not heard of again is gone. Of many workers that wait, each is heard of less often.
    "ALTER TABLE salvo.workers ADD COLUMN expires_at timestamptz NOT NULL DEFAULT now() + interval '10 s'",
    'ALTER TABLE salvo.work_orders RENAME COLUMN lead_id TO coordinator_id',
    'ALTER TABLE salvo.work_orders RENAME COLUMN led_at TO coordinated_at',
  ],
};
