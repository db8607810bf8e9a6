import { scenarioJudges } from '../judge/scenario-judges.ts';
import type { ModelCaller } from '../models/model-caller.ts';
import type { CalledModel } from '../models/unknown-prices.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import type { PreparedScenario } from '../trial/run-trial.ts';

/** The models that a run is going to call: of its agents and of its judges. */
export function calledModels(options: {
  prepared: readonly PreparedScenario[];
  /** The traces are only recorded, so no judge is called. */
  recordOnly?: boolean | undefined;
  project: Project;
  models: Pick<ModelCaller, 'providerName'>;
}): CalledModel[] {
  return options.prepared.flatMap(({ adapter, adapterName, model, relativeFile, scenario }) => [
    { adapterName, provider: adapter.providerName(), model, relativeFile },
    ...(options.recordOnly ? [] : scenarioJudges(scenario, options.project.config.judge)).flatMap(({ judges }) =>
      judges.map((judge) => ({
        adapterName: judge.adapter,
        provider: options.models.providerName(judge.adapter),
        model: judge.model,
        relativeFile,
      })),
    ),
  ]);
}
