import type { ScenarioSummary } from '../../run/run-document.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { csvField } from '../csv-field.ts';
import { createChunkedWriter, type Write } from '../terminal/chunked-writer.ts';
import type { RunStream } from './run-report.ts';

const HEADER = [
  'run_id',
  'scenario',
  'file',
  'model',
  'adapter',
  'trial_number',
  'status',
  'score',
  'passed',
  'latency_seconds',
  'cost_usd',
  'judge_cost_usd',
  'retries',
  'error_message',
  'trace_id',
  'failed_assertions',
];

/** One row per trial (RFC 4180). An unknown value is an empty field, never 0. Failed assertions are separated by `; `. */
export async function writeCsv(options: RunStream & { write: Write }): Promise<void> {
  const { add, flush } = createChunkedWriter(options.write);
  await add(`${HEADER.join(',')}\r\n`);
  for (const { summary, trials } of options.scenarios) {
    for await (const trial of trials()) {
      await add(`${row(options.run.run_id, summary, trial).map(csvField).join(',')}\r\n`);
    }
  }
  await flush();
}

function row(runId: string, summary: ScenarioSummary, trial: TrialResult): (string | number | boolean | null)[] {
  const failed = trial.eval_results.filter((result) => result.status === 'scored' && !result.passed);
  return [
    runId,
    summary.name,
    summary.file,
    summary.model,
    summary.adapter,
    trial.trial_number,
    trial.status,
    trial.score,
    trial.passed,
    trial.latency_seconds,
    trial.cost_usd,
    trial.judge_cost_usd,
    trial.retries,
    trial.error_message,
    trial.trace_id,
    failed.map((result) => result.assertion_id).join('; '),
  ];
}
