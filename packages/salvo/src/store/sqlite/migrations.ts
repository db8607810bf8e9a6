/**
 * The schema, one step per entry: entry n brings a database from version n to n + 1. Append only; an entry that has
 * been released is never edited, because databases in the field have already run it. A step leaves a document that is no
 * JSON as it is: its run can't be read then, and every other can.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE blobs (
    hash BLOB PRIMARY KEY,           -- sha256 of the text
    text ANY NOT NULL                -- TEXT as it is, BLOB when compressed with zstd
  ) STRICT;

  CREATE TABLE traces (
    trace_id TEXT PRIMARY KEY,
    document TEXT NOT NULL
  ) STRICT;

  CREATE TABLE runs (
    seq INTEGER PRIMARY KEY,         -- in order of creation, to tell apart runs of the same millisecond
    run_id TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    finished_at TEXT,
    status TEXT NOT NULL,
    verdict TEXT,
    exit_code INTEGER,
    salvo_version TEXT NOT NULL,
    reeval_of TEXT,
    options TEXT NOT NULL,
    owner TEXT
  ) STRICT;
  CREATE INDEX runs_by_time ON runs (created_at, seq);

  CREATE TABLE run_scenarios (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    scenario_index INTEGER NOT NULL,
    name TEXT NOT NULL,
    file TEXT NOT NULL,
    adapter TEXT NOT NULL,
    model TEXT NOT NULL,
    scenario_hash TEXT NOT NULL,
    scenario TEXT NOT NULL,
    summary TEXT,
    PRIMARY KEY (run_id, scenario_index)
  ) STRICT;

  CREATE TABLE trials (
    run_id TEXT NOT NULL,
    scenario_index INTEGER NOT NULL,
    trial_number INTEGER NOT NULL,
    trace_id TEXT REFERENCES traces (trace_id),
    result TEXT,
    PRIMARY KEY (run_id, scenario_index, trial_number),
    FOREIGN KEY (run_id, scenario_index) REFERENCES run_scenarios (run_id, scenario_index)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX trials_by_trace ON trials (trace_id);
  `,
  `
  CREATE TABLE calibrations (
    judge_hash TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE experiments (
    seq INTEGER PRIMARY KEY,         -- in order of creation, to tell apart experiments of the same millisecond
    experiment_id TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX experiments_by_time ON experiments (created_at, seq);

  CREATE TABLE games (
    experiment_id TEXT NOT NULL REFERENCES experiments (experiment_id),
    game_id TEXT NOT NULL,
    game TEXT NOT NULL,
    PRIMARY KEY (experiment_id, game_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE game_code (
    experiment_id TEXT NOT NULL REFERENCES experiments (experiment_id),
    code_key TEXT NOT NULL,
    outcome TEXT NOT NULL,           -- what a model wrote and was paid for, with its manifest
    PRIMARY KEY (experiment_id, code_key)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE leases (
    kind TEXT NOT NULL,              -- run or experiment
    work_id TEXT NOT NULL,
    token INTEGER NOT NULL,          -- increases whenever the lease changes hands
    beat INTEGER NOT NULL,           -- increases whenever it is renewed
    holder TEXT,                     -- null when nobody holds it
    expires_at REAL NOT NULL,        -- seconds, by the clock of the database
    PRIMARY KEY (kind, work_id)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE runs DROP COLUMN owner;

  -- Clocks can be set back: everything is in order of creation by "seq".
  DROP INDEX runs_by_time;
  DROP INDEX experiments_by_time;

  -- What earlier attempts of the trial cost.
  ALTER TABLE trials ADD COLUMN earlier_cost TEXT;
  `,
  `
  -- A scenario with data has a case for each row: the key of a trial has the case in it.
  CREATE TABLE trials_of_cases (
    run_id TEXT NOT NULL,
    scenario_index INTEGER NOT NULL,
    case_index INTEGER NOT NULL,     -- 0 without data
    trial_number INTEGER NOT NULL,
    "case" TEXT,                     -- its name; null without data
    trace_id TEXT REFERENCES traces (trace_id),
    result TEXT,
    earlier_cost TEXT,
    PRIMARY KEY (run_id, scenario_index, case_index, trial_number),
    FOREIGN KEY (run_id, scenario_index) REFERENCES run_scenarios (run_id, scenario_index)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO trials_of_cases
    SELECT run_id, scenario_index, 0, trial_number, NULL, trace_id,
           iif(json_valid(result), json_set(result, '$.case_index', 0, '$.case', NULL), result), earlier_cost FROM trials;
  DROP TABLE trials;
  ALTER TABLE trials_of_cases RENAME TO trials;
  CREATE INDEX trials_by_trace ON trials (trace_id);

  UPDATE runs SET options = json_set(options, '$.cases', NULL) WHERE json_valid(options);
  UPDATE run_scenarios SET summary = json_set(summary, '$.skipped', NULL, '$.cases', json('[]'))
    WHERE json_valid(summary);
  `,
  `
  -- The commit of the project's repository, if its tools could tell.
  ALTER TABLE runs ADD COLUMN git_commit TEXT;
  ALTER TABLE runs ADD COLUMN git_dirty INTEGER;
  CREATE INDEX runs_by_commit ON runs (git_commit, seq);

  -- Gates and quarantine came later.
  UPDATE run_scenarios SET summary = json_set(summary, '$.gates', json('[]'), '$.quarantine', NULL,
    '$.trials_quarantined', 0, '$.cases', (
      SELECT json_group_array(iif(type = 'object', json_set(value, '$.quarantine', NULL), value))
      FROM json_each(summary, '$.cases')
    )) WHERE json_valid(summary);
  `,
  `
  -- Manifest, findings and matches of a game: null if it was not scored.
  ALTER TABLE games ADD COLUMN sheet TEXT;
  `,
  `
  -- A deleted run can be restored for a while, and is hidden meanwhile. Seconds, by the clock of the database.
  ALTER TABLE runs ADD COLUMN deleted_at REAL;
  -- Increases whenever the run changes, so that what was made of it need not be made again.
  ALTER TABLE runs ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
  -- How often the holder was asked to stop.
  ALTER TABLE leases ADD COLUMN stops INTEGER NOT NULL DEFAULT 0;
  -- How often texts were removed that nothing refers to any more. A process that knows a text as stored must look again.
  CREATE TABLE purges (count INTEGER NOT NULL) STRICT;
  INSERT INTO purges VALUES (0);
  `,
  `
  CREATE TABLE labels (
    seq INTEGER PRIMARY KEY,         -- in order of creation
    label_id TEXT NOT NULL UNIQUE,
    trace_id TEXT NOT NULL,
    assertion_id TEXT NOT NULL,      -- as JSON, so that null is a value
    criterion TEXT NOT NULL,         -- the same
    labelled_by TEXT NOT NULL,
    label TEXT NOT NULL,
    UNIQUE (trace_id, assertion_id, criterion, labelled_by)
  ) STRICT;
  `,
  `
  -- A result is longer than a quarter of a page, so with the key of its trial each would need a page of its own. The
  -- rows of trials are small now: lists and counts read few pages.
  CREATE TABLE results (
    result_id INTEGER PRIMARY KEY,
    result TEXT NOT NULL
  ) STRICT;
  CREATE TABLE trials_without_results (
    run_id TEXT NOT NULL,
    scenario_index INTEGER NOT NULL,
    case_index INTEGER NOT NULL,     -- 0 without data
    trial_number INTEGER NOT NULL,
    "case" TEXT,                     -- its name; null without data
    trace_id TEXT REFERENCES traces (trace_id),
    result_id INTEGER REFERENCES results (result_id),
    status TEXT,                     -- of the result
    earlier_cost TEXT,
    PRIMARY KEY (run_id, scenario_index, case_index, trial_number),
    FOREIGN KEY (run_id, scenario_index) REFERENCES run_scenarios (run_id, scenario_index)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO results
    SELECT row_number() OVER (ORDER BY run_id, scenario_index, case_index, trial_number), result
    FROM trials WHERE result IS NOT NULL;
  -- Counted in the same order, the results have the same numbers.
  INSERT INTO trials_without_results
    SELECT run_id, scenario_index, case_index, trial_number, "case", trace_id, CASE WHEN result IS NOT NULL THEN
      count(result) OVER (ORDER BY run_id, scenario_index, case_index, trial_number) END,
      iif(json_valid(result), result ->> 'status', NULL), earlier_cost FROM trials;
  DROP TABLE trials;
  ALTER TABLE trials_without_results RENAME TO trials;
  CREATE INDEX trials_by_trace ON trials (trace_id);
  `,
  `
  -- What a list of thousands of runs shows of a scenario, apart from its long summary.
  CREATE TABLE scenario_figures (
    run_id TEXT NOT NULL,
    scenario_index INTEGER NOT NULL,
    figures TEXT NOT NULL,
    PRIMARY KEY (run_id, scenario_index),
    FOREIGN KEY (run_id, scenario_index) REFERENCES run_scenarios (run_id, scenario_index)
  ) STRICT, WITHOUT ROWID;
  -- Texts that begin with ~ are encoded in summaries, but not in columns. Figures of a damaged summary are damaged, too.
  INSERT INTO scenario_figures SELECT run_id, scenario_index, iif(NOT json_valid(summary), summary, json_object(
    'name', iif(name LIKE '~%', '~' || name, name), 'file', iif(file LIKE '~%', '~' || file, file),
    'adapter', iif(adapter LIKE '~%', '~' || adapter, adapter), 'model', iif(model LIKE '~%', '~' || model, model),
    'summary', iif(summary IS NULL, json('null'), json_object(
      'verdict', summary ->> 'verdict', 'pass_rate', summary ->> 'pass_rate',
      'pass_rate_ci', json(summary -> 'pass_rate_ci'), 'score_avg', summary ->> 'score_avg',
      'trials_total', summary ->> 'trials_total', 'cost_total_usd', summary ->> 'cost_total_usd',
      'judge_cost_usd', summary ->> 'judge_cost_usd'
    )))) FROM run_scenarios;
  `,
  `
  -- What was paid for games that were replaced, or not stored.
  CREATE TABLE lost_costs (
    experiment_id TEXT NOT NULL REFERENCES experiments (experiment_id),
    loss_id TEXT NOT NULL,
    usd REAL NOT NULL,
    PRIMARY KEY (experiment_id, loss_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- The version of the documents of a run; 0 of runs from before it was kept.
  ALTER TABLE runs ADD COLUMN document_version INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Judges that were compared on the same labels.
  CREATE TABLE judge_comparisons (
    comparison_id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    comparison TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
];
