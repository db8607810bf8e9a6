import type { SchemaPart } from '../postgres/migrate-schema.ts';

/**
 * The queue: orders, their jobs, what workers report, and the workers. Documents are JSON as text: `jsonb` refuses
 * characters that a name may have. Append only; an entry that has been released is never edited.
 *
 * What earlier versions have left is thrown away: it is only what was under way, and is resumed with --resume.
 */
export const WORK_TABLES: SchemaPart = {
  name: 'work',
  replaced: 8,
  migrations: [
    `DROP SCHEMA IF EXISTS salvo_jobs CASCADE;
    DROP TABLE IF EXISTS salvo.jobs, salvo.work_failures, salvo.work_notices, salvo.work_orders, salvo.workers,
      salvo.work_watch, salvo.parcel_files, salvo.bundle_files;
    CREATE TABLE salvo.work_orders (
      kind text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      generation bigint NOT NULL,
      document text NOT NULL,
      stops smallint NOT NULL DEFAULT 0,
      pointless text NOT NULL DEFAULT '[]',
      is_over boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (kind, id)
    );
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
    ) WITH (fillfactor = 80);
    CREATE INDEX jobs_in_order ON salvo.jobs (kind, id, state, labels, position);
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
      expires_at timestamptz NOT NULL     -- gone if it was not heard of by then; the later the more workers wait
    );
    CREATE TABLE salvo.bundle_files (
      hash text COLLATE "C" PRIMARY KEY,
      content bytea NOT NULL,
      used_at timestamptz NOT NULL DEFAULT now()
    )`,
  ],
};
