import pg from 'pg';
import { createDatabase } from '../../test/postgres.ts';
import { cpuSecondsOf, IS_LOST, type ScaleStore, TRIALS_PER_TRANSACTION } from './scale-store.ts';

/** A database of its own, on the server of tests. So many workers on this machine perform the trials. */
export async function postgresScaleStore({ workers }: { workers: number }): Promise<ScaleStore> {
  const database = await createDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return {
    name: `PostgreSQL, workers: ${workers}`,
    env: { SALVO_DATABASE_URL: database.url },
    runOptions: ['--local-workers', String(workers)],
    runId: async () => String((await client.query('SELECT run_id FROM salvo.runs ORDER BY seq DESC')).rows[0]?.run_id),
    bytes: async () =>
      Number((await client.query('SELECT pg_database_size(current_database()) AS size')).rows[0]?.size),
    async bareWrite() {
      await client.query('CREATE SCHEMA bare');
      await client.query('CREATE TABLE bare.traces (trace_id text PRIMARY KEY, document text)');
      await client.query(`CREATE TABLE bare.trials (run_id text, scenario_index int, case_index int, trial_number int,
        trace_id text, result text, PRIMARY KEY (run_id, scenario_index, case_index, trial_number))`);
      let seconds = 0;
      for (let offset = 0; ; offset += TRIALS_PER_TRANSACTION) {
        const { rows } = await client.query({
          text: `SELECT document, run_id, scenario_index, case_index, trial_number, trace_id, result
            FROM salvo.trials JOIN salvo.traces USING (trace_id)
            ORDER BY run_id, scenario_index, case_index, trial_number LIMIT $1 OFFSET $2`,
          values: [TRIALS_PER_TRANSACTION, offset],
          rowMode: 'array',
        });
        seconds += await cpuSecondsOf(async () => {
          await client.query('BEGIN');
          for (const [document, ...trial] of rows) {
            const trace = [trial[4], document];
            await client.query({ name: 'trace', text: 'INSERT INTO bare.traces VALUES ($1, $2)', values: trace });
            const text = 'INSERT INTO bare.trials VALUES ($1, $2, $3, $4, $5, $6)';
            await client.query({ name: 'trial', text, values: trial });
          }
          await client.query('COMMIT');
        });
        if (rows.length < TRIALS_PER_TRANSACTION) break;
      }
      await client.query('DROP SCHEMA bare CASCADE');
      return seconds;
    },
    bareHeads: () =>
      cpuSecondsOf(() =>
        client.query('SELECT scenario_index, case_index, trial_number, trace_id, status FROM salvo.trials'),
      ),
    bareResults: () =>
      cpuSecondsOf(async () => {
        for (const { result } of (await client.query('SELECT result FROM salvo.trials')).rows) JSON.parse(result);
      }),
    async loseTrials() {
      await client.query("UPDATE salvo.runs SET status = 'interrupted'");
      return (await client.query(`DELETE FROM salvo.trials WHERE ${IS_LOST}`)).rowCount ?? 0;
    },
    async [Symbol.asyncDispose]() {
      await client.end();
      await database[Symbol.asyncDispose]();
    },
  };
}
