import { newId } from '../../queue/new-id.ts';
import { withoutLongState } from '../../scenario/scenario-identity.ts';
import { salvoVersion } from '../../text/modules/salvo-version.ts';
import type { PreparedCase } from '../../trial/run-trial.ts';
import type { RunRecord, RunScenario } from './run-record.ts';

/** The record of a run that begins now, in this process. */
export function newRun(plan: Pick<RunRecord, 'options' | 'scenarios' | 'reeval_of' | 'git'>): RunRecord {
  return {
    run_id: newId(),
    created_at: new Date().toISOString(),
    finished_at: null,
    status: 'running',
    verdict: null,
    exit_code: null,
    salvo_version: salvoVersion(),
    ...plan,
    scenarios: plan.scenarios.map((each) => ({ ...each, scenario: withoutLongState(each.scenario) })),
  };
}

/** A scenario as the record of its run keeps it. */
export function recordedScenario({
  scenario,
  relativeFile,
  adapterName,
  model,
  hash,
}: Omit<PreparedCase, 'adapter' | 'limiter' | 'tools' | 'file'>): RunScenario {
  return {
    name: scenario.name,
    file: relativeFile,
    adapter: adapterName,
    model,
    scenario_hash: hash,
    scenario,
    summary: null,
  };
}
