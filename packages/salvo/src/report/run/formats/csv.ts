import type { ScenarioSummary } from '../../../run/record/run-document.ts';
import type { TrialResult } from '../../../trial/trial-result.ts';
import { csvField } from '../../csv-field.ts';
import { createChunkedWriter, type Write } from '../../terminal/chunked-writer.ts';
import type { RunStream } from '../run-report.ts';

const SCENARIO_COLUMNS = [
  'name',
  'file',
  'model',
  'adapter',
  'verdict',
  'decided_by',
] as const satisfies readonly (keyof ScenarioSummary)[];
const TRIAL_COLUMNS = [
  'case_index',
  'case',
  'trial_number',
  'status',
  'score',
  'passed',
  'latency_seconds',
  'cost_usd',
  'judge_cost_usd',
  'user_cost_usd',
  'retries',
  'error_code',
  'error_message',
  'trace_id',
] as const satisfies readonly (keyof TrialResult)[];
const HEADER = [
  'run_id',
  'scenario',
  ...SCENARIO_COLUMNS.slice(1),
  ...TRIAL_COLUMNS,
  'failed_assertions',
  'quarantined',
];

/** One row per trial (RFC 4180). An unknown value is an empty field, never 0. Failed assertions are separated by `; `. */
export async function writeCsv(options: RunStream & { write: Write }): Promise<void> {
  const { add, flush } = createChunkedWriter(options.write);
  await add(`${HEADER.join(',')}\r\n`);
  for (const { summary, trials } of options.scenarios) {
    const inQuarantine = new Set(summary.cases.flatMap((each) => (each.quarantine?.active ? [each.case_index] : [])));
    for await (const trial of trials()) {
      const quarantined = summary.verdict === 'QUARANTINED' || inQuarantine.has(trial.case_index);
      const fields = [...row(options.run.run_id, summary, trial), quarantined];
      await add(`${fields.map(csvField).join(',')}\r\n`);
    }
  }
  await flush();
}

function row(runId: string, summary: ScenarioSummary, trial: TrialResult): (string | number | boolean | null)[] {
  const failed = trial.eval_results.filter((result) => result.status === 'scored' && !result.passed);
  // A user that cost nothing is not one whose cost is unknown.
  const values = { ...(trial.simulated_user && { user_cost_usd: 0 }), ...trial };
  return [
    runId,
    ...SCENARIO_COLUMNS.map((column) => summary[column]),
    ...TRIAL_COLUMNS.map((column) => values[column] ?? null),
    failed.map((result) => result.assertion_id).join('; '),
  ];
}
