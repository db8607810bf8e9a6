import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import type { RunRecord, RunRecorder } from './run-record.ts';

/** A longer chain of re-evaluations is not followed. */
const LONGEST_CHAIN = 100;

/**
 * The scenarios that the traces of a run were recorded with, by their hash, which every trace has. A re-evaluation has
 * later versions of them, so the runs before it are asked, too.
 */
export async function recordedScenarios(
  source: RunRecord,
  recorder: Pick<RunRecorder, 'getRun'>,
): Promise<Map<string, Scenario>> {
  const byHash = new Map<string, Scenario>();
  let run: RunRecord | null = source;
  for (let followed = 0; run && followed < LONGEST_CHAIN; followed += 1) {
    for (const { scenario_hash, scenario } of run.scenarios) byHash.set(scenario_hash, scenario);
    run = run.reeval_of === null ? null : await recorder.getRun(run.reeval_of);
  }
  return byHash;
}
