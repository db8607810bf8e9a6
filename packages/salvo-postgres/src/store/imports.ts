import type { StoreImports } from 'salvo/kit/store';
import type { ExperimentTable } from '../../../salvo-arena/src/store/postgres/experiment-table.ts';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import type { Transaction } from '../postgres/postgres.ts';
import { columnText } from './column-text.ts';
import type { RunTable } from './run-table.ts';
import { NO_TEXTS, type StoreDatabase, type Write } from './store-database.ts';
import type { TrialTable } from './trial-table.ts';

/** Each run and each experiment is one transaction: an import that is interrupted leaves no part of one. */
export function storeImports(parts: {
  database: StoreDatabase;
  runs: RunTable;
  trials: TrialTable;
  experiments: ExperimentTable;
}): StoreImports {
  const { database, runs, trials, experiments } = parts;

  /** `fill` gets a function that makes a change with its texts, each of which is sent once. */
  function whole(
    table: { name: string; key: string; id: string },
    fill: (add: (write: Write<unknown>) => Promise<void>) => Promise<void>,
  ): Promise<boolean> {
    return database.write({
      texts: NO_TEXTS,
      async change(sql) {
        const there = await sql.query(`SELECT 1 FROM ${SCHEMA}.${table.name} WHERE ${table.key} = $1`, [
          columnText(table.id),
        ]);
        if (there.length > 0) return sql.isRepeated;
        await fill(adding(sql));
        return true;
      },
    });
  }

  function adding(sql: Transaction): (write: Write<unknown>) => Promise<void> {
    const sent = new Set<string>();
    return async ({ texts, change }) => {
      const fresh = new Map([...texts].filter(([reference]) => !sent.has(reference)));
      await database.insertTexts(sql, fresh);
      for (const reference of fresh.keys()) sent.add(reference);
      await change(sql);
    };
  }

  return {
    importRun: (run, content) =>
      whole({ name: 'runs', key: 'run_id', id: run.run_id }, async (add) => {
        await add(runs.create(run));
        for await (const { trial, trace } of content()) {
          if (trace === null) {
            await add(trials.save({ ...trial, trace_id: null }));
            continue;
          }
          const { traceId, ...saving } = trials.saveTrace(trace);
          await add(saving);
          // What is redacted by now may have had another id.
          const result = trial.result && { ...trial.result, trace_id: traceId };
          await add(trials.save({ ...trial, trace_id: traceId, result }));
        }
      }),
    importExperiment: (experiment, { games, codes, lostUsd }) =>
      whole({ name: 'experiments', key: 'experiment_id', id: experiment.experiment_id }, async (add) => {
        await add(experiments.save(experiment));
        for await (const { game, sheet } of games()) await add(experiments.saveGame(game, sheet));
        for await (const { codeKey, outcome } of codes()) {
          await add(experiments.saveCode(experiment.experiment_id, codeKey, outcome));
        }
        if (lostUsd > 0) await add(experiments.addLost(experiment.experiment_id, { id: 'imported', usd: lostUsd }));
      }),
  };
}
