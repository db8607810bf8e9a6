import type { ScenarioSummary } from '../run/run-document.ts';
import type { RunScenario } from '../run/run-record.ts';
import type { Scenario } from '../scenario/scenario-schema.ts';
import type { Redactor } from '../trace/redaction.ts';
import type { TrialResult } from '../trial/trial-result.ts';
import { resultWithoutText, scenarioWithoutText, summaryWithoutText } from './record-metadata-only.ts';
import type { Store } from './store.ts';

/** A store that nothing secret gets into. The one place where redaction happens; what is read is as it was stored. */
export function redactingStore(store: Store, redactor: Redactor): Store {
  const metadataOnly = redactor.mode === 'metadata_only';

  function redactScenario(scenario: Scenario): Scenario {
    const redacted = redactor.value(scenario);
    return metadataOnly ? scenarioWithoutText(redacted) : redacted;
  }

  function redactSummary(summary: ScenarioSummary): ScenarioSummary {
    const redacted = redactor.value(summary);
    return metadataOnly ? summaryWithoutText(redacted) : redacted;
  }

  function redactResult(result: TrialResult): TrialResult {
    // The id of a trace is a hash, in which a pattern for numbers would find plenty.
    const redacted = { ...redactor.value(result), trace_id: result.trace_id };
    return metadataOnly ? resultWithoutText(redacted) : redacted;
  }

  function redactRunScenario({ scenario, summary, scenario_hash, ...entry }: RunScenario): RunScenario {
    return {
      ...redactor.value(entry),
      scenario_hash,
      scenario: redactScenario(scenario),
      summary: summary === null ? null : redactSummary(summary),
    };
  }

  return {
    ...store,
    createRun: (run) => store.createRun({ ...run, scenarios: run.scenarios.map(redactRunScenario) }),
    updateRun: (runId, { summaries, ...change }) =>
      store.updateRun(runId, summaries === undefined ? change : { ...change, summaries: summaries.map(redactSummary) }),
    saveTrace: (trace) => store.saveTrace(redactor.trace(trace)),
    saveTrial: (trial) =>
      store.saveTrial({ ...trial, result: trial.result === null ? null : redactResult(trial.result) }),
  };
}
