import type { EvaluationContext } from '../../evaluators/evaluator.ts';
import type { Pricing } from '../../models/budget/prices.ts';
import type { ModelCaller } from '../../models/call/model-caller.ts';
import { scenarioCases } from '../../scenario/cases/scenario-cases.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { isMetadataOnly } from '../../trace/not-recorded.ts';
import { pairedCases } from '../record/paired-cases.ts';
import { recordedScenarios } from '../record/recorded-scenarios.ts';
import type { RunRecord, RunRecorder, TrialsOfRun } from '../record/run-record.ts';
import { type Estimate, type ScenarioEstimate, totalEstimate } from './estimate.ts';
import { createJudgeForecast } from './judge-forecast.ts';

/** What judging a run's stored traces again would cost: exactly these prompts, without the cached votes. */
export async function estimateReeval(options: {
  source: RunRecord;
  scenarioOf: (index: number) => LoadedScenario | null;
  only?: TrialsOfRun | undefined;
  recorder: Pick<RunRecorder, 'getRun' | 'trials' | 'getTrace'>;
  project: Project;
  pricing: Pricing;
  judgeServices: Pick<EvaluationContext, 'voteCache'> & { models: ModelCaller };
}): Promise<Estimate> {
  const { source, only, recorder, project, pricing, judgeServices } = options;
  const parts = source.scenarios.map(({ scenario: then }, index) => {
    const loaded = only && only.scenario_index !== index ? null : options.scenarioOf(index);
    if (!loaded) return null;
    const forecast = createJudgeForecast({ loaded, project, pricing, judgeServices });
    return { loaded, forecast, caseNow: pairedCases(then, loaded.scenario), traces: 0 };
  });
  const recorded = await recordedScenarios(source, recorder);
  for await (const { scenario_index, case_index, trial_number, trace_id } of recorder.trials(source.run_id)) {
    const part = parts[scenario_index];
    if (!part || trace_id === null || trial_number !== (only?.trial_number ?? trial_number)) continue;
    if (case_index !== (only?.case_index ?? case_index)) continue;
    const trace = await recorder.getTrace(trace_id);
    if (!trace || isMetadataOnly(trace)) continue;
    part.traces += 1;
    // A trial whose agent did not finish is not judged.
    if (trace.error === null && trace.finish_reason !== 'unmocked_call') {
      const then = recorded.get(trace.scenario_hash);
      const recordedScenario = then && scenarioCases(then).scenarioOf(case_index);
      const place = { traceId: trace_id, trialNumber: trial_number, recordedScenario };
      const caseIndex = part.caseNow(case_index);
      if (caseIndex !== -1) await part.forecast.add(trace, { ...place, caseIndex });
    }
  }
  const scenarios = parts.flatMap((part): ScenarioEstimate[] => {
    if (!part) return [];
    const { loaded, forecast, traces } = part;
    const { scenario, relativeFile } = loaded;
    return [
      { name: scenario.name, file: relativeFile, trials: traces, agent: null, judges: forecast.judges(), traces },
    ];
  });
  return totalEstimate(scenarios);
}
