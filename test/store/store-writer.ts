/** A process of its own that writes runs: `node store-writer.ts FILE NAME TRIALS`. Prints each trial once it is stored. */
import { openSqliteStore } from '../../packages/salvo/src/store/sqlite/sqlite-store.ts';
import { sampleRun, sampleStoredTrial } from '../sample-run.ts';
import { sampleSupportTrace } from '../sample-trace.ts';
import { sampleTrial } from '../sample-trial.ts';

const [file = '', name = '', trials = ''] = process.argv.slice(2);
const store = await openSqliteStore({ file });
await store.createRun(sampleRun({ run_id: name }));
for (let trial_number = 1; trial_number <= Number(trials); trial_number++) {
  const content = `${name} ${trial_number} `.repeat(100);
  const trace_id = await store.saveTrace(sampleSupportTrace({ final_content: content, latency_seconds: trial_number }));
  const trial = sampleStoredTrial({ run_id: name, trial_number, trace_id });
  await store.saveTrial(trial);
  await store.saveTrial({ ...trial, result: sampleTrial({ trial_number, trace_id, error_message: content }) });
  process.stdout.write(`${trial_number}\n`);
}
await store.close();
