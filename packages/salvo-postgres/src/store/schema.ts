import { SCHEMA, type SchemaPart } from '../postgres/migrate-schema.ts';

/**
 * The tables of the store. Append only; an entry that has been released is never edited. Texts that are compared are in
 * the order of their bytes, so that no locale of the server changes an order. Documents are JSON as text: the types of
 * PostgreSQL for JSON refuse or change some texts.
 */
export const STORE_PART: SchemaPart = {
  name: 'store',
  migrations: [
    `
    CREATE TABLE ${SCHEMA}.blobs (
      hash bytea PRIMARY KEY,            -- sha256 of the text
      text bytea NOT NULL                -- as UTF-8, or compressed with zstd, which no UTF-8 begins like
    );
    ALTER TABLE ${SCHEMA}.blobs ALTER text SET STORAGE EXTERNAL;

    CREATE TABLE ${SCHEMA}.traces (
      seq bigint GENERATED ALWAYS AS IDENTITY,
      trace_id text COLLATE "C" PRIMARY KEY,
      document text NOT NULL
    );

    CREATE TABLE ${SCHEMA}.runs (
      seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE, -- in order of creation
      run_id text COLLATE "C" PRIMARY KEY,
      created_at text NOT NULL,
      finished_at text,
      status text NOT NULL,
      verdict text,
      exit_code integer,
      salvo_version text NOT NULL,
      reeval_of text,
      options text NOT NULL,
      git_commit text COLLATE "C",
      git_dirty integer,
      is_shard boolean NOT NULL,
      revision bigint NOT NULL DEFAULT 0, -- increases whenever the run changes
      deleted_at timestamptz              -- hidden until it is restored or purged
    );
    CREATE INDEX runs_by_commit ON ${SCHEMA}.runs (git_commit, seq);

    CREATE TABLE ${SCHEMA}.run_scenarios (
      run_id text COLLATE "C" NOT NULL REFERENCES ${SCHEMA}.runs,
      scenario_index integer NOT NULL,
      name text NOT NULL,
      file text NOT NULL,
      adapter text NOT NULL,
      model text NOT NULL,
      scenario_hash text NOT NULL,
      scenario text NOT NULL,
      summary text,
      brief_summary text,                 -- without its cases, for lists
      figures text NOT NULL,              -- a few figures of it, for lists of thousands of runs
      PRIMARY KEY (run_id, scenario_index)
    );

    CREATE TABLE ${SCHEMA}.trials (
      run_id text COLLATE "C" NOT NULL,
      scenario_index integer NOT NULL,
      case_index integer NOT NULL,        -- 0 without data
      trial_number integer NOT NULL,
      "case" text COLLATE "C",            -- its name; null without data
      trace_id text COLLATE "C" REFERENCES ${SCHEMA}.traces,
      result text,
      earlier_cost text,
      status text,                        -- of the result
      outcome text NOT NULL,              -- what lists show of the result
      written xid8 NOT NULL,              -- the transaction that wrote it last
      PRIMARY KEY (run_id, scenario_index, case_index, trial_number)
    );
    CREATE INDEX trials_by_trace ON ${SCHEMA}.trials (trace_id);
    CREATE INDEX trials_by_change ON ${SCHEMA}.trials (run_id, written);

    CREATE TABLE ${SCHEMA}.calibrations (
      judge_hash text COLLATE "C" PRIMARY KEY,
      created_at text COLLATE "C" NOT NULL,
      record text NOT NULL
    );

    CREATE TABLE ${SCHEMA}.labels (
      seq bigint GENERATED ALWAYS AS IDENTITY,
      label_id text COLLATE "C" NOT NULL UNIQUE,
      trace_id text COLLATE "C" NOT NULL,
      subject bytea NOT NULL UNIQUE,      -- hash of trace, assertion, criterion and person
      label text NOT NULL
    );
    CREATE INDEX labels_by_trace ON ${SCHEMA}.labels (trace_id, seq);

    CREATE TABLE ${SCHEMA}.experiments (
      seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
      experiment_id text COLLATE "C" PRIMARY KEY,
      record text NOT NULL
    );

    CREATE TABLE ${SCHEMA}.games (
      experiment_id text COLLATE "C" NOT NULL REFERENCES ${SCHEMA}.experiments,
      game_id text COLLATE "C" NOT NULL,
      game text NOT NULL,
      sheet text,                         -- manifest, findings and matches; null if it was not scored
      written xid8 NOT NULL,
      PRIMARY KEY (experiment_id, game_id)
    );
    CREATE INDEX games_by_change ON ${SCHEMA}.games (experiment_id, written);

    CREATE TABLE ${SCHEMA}.game_code (
      experiment_id text COLLATE "C" NOT NULL REFERENCES ${SCHEMA}.experiments,
      code_key text COLLATE "C" NOT NULL,
      outcome text NOT NULL,              -- what a model wrote and was paid for, with its manifest
      PRIMARY KEY (experiment_id, code_key)
    );

    CREATE TABLE ${SCHEMA}.leases (
      kind text NOT NULL,                 -- run or experiment
      work_id text COLLATE "C" NOT NULL,
      token bigint NOT NULL,              -- increases whenever the lease changes hands
      beat bigint NOT NULL,               -- increases whenever it is renewed
      holder text,                        -- null when no process holds it
      stops integer NOT NULL DEFAULT 0,   -- how often the holder was asked to stop
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (kind, work_id)
    );

    -- How often texts were removed. A process that knows a text as stored must look again.
    CREATE TABLE ${SCHEMA}.purges (count bigint NOT NULL);
    INSERT INTO ${SCHEMA}.purges VALUES (0);

    -- How often something was changed. Several rows, so that writers need not wait for each other.
    CREATE TABLE ${SCHEMA}.changes (slot integer PRIMARY KEY, count bigint NOT NULL) WITH (fillfactor = 50);
    INSERT INTO ${SCHEMA}.changes SELECT slot, 0 FROM generate_series(0, 63) AS slot;
    `,
    `
    -- What was paid for games that were replaced, or not stored.
    CREATE TABLE ${SCHEMA}.lost_costs (
      experiment_id text COLLATE "C" NOT NULL REFERENCES ${SCHEMA}.experiments,
      loss_id text COLLATE "C" NOT NULL,
      usd double precision NOT NULL,
      PRIMARY KEY (experiment_id, loss_id)
    );
    `,
    {
      changes: ['runs'],
      sql: `
      -- The version of the documents of a run; 0 of runs from before it was kept.
      ALTER TABLE ${SCHEMA}.runs ADD COLUMN document_version integer NOT NULL DEFAULT 0;
      `,
    },
    `
    -- Judges that were compared on the same labels.
    CREATE TABLE ${SCHEMA}.judge_comparisons (
      comparison_id text COLLATE "C" PRIMARY KEY,
      created_at text COLLATE "C" NOT NULL,
      comparison text NOT NULL
    );
    `,
  ],
};
