import { scenarioJudges } from '../../judge/scenario-judges.ts';
import type { ProjectConfig } from '../../scenario/schema/project-schema.ts';
import type { ConductedRun, CountedScenario } from './run-request.ts';

/** Why no further trial of a scenario can be scored; null as long as one may be. */
export type ScenarioOutage = (trial: { isRecorded: boolean }) => { message: string; code: string } | null;

/** Looks at the scenario's agent, unless the trial's trace is recorded already, and at its judges. */
export function scenarioOutage(options: {
  scenario: CountedScenario;
  judge: ProjectConfig['judge'] | undefined;
  recordOnly: boolean;
  outageOf: ConductedRun['outageOf'];
}): ScenarioOutage {
  const { outageOf } = options;
  const { adapterName, model, scenario } = options.scenario;
  const agent = outageOf(adapterName, model);
  const panels = options.recordOnly
    ? []
    : scenarioJudges(scenario, options.judge).map(({ judges }) =>
        judges.map((each) => outageOf(each.adapter, each.model)),
      );
  return ({ isRecorded }) => {
    if (!isRecorded && agent.proof) return agent.proof;
    for (const panel of panels) {
      const proofs = panel.flatMap(({ proof }) => proof ?? []);
      // Every judge gives the same number of votes, and more than half of them have to be readable.
      if (proofs[0] && 2 * (panel.length - proofs.length) <= panel.length) return proofs[0];
    }
    return null;
  };
}
