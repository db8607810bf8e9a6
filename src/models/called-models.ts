import { scenarioJudges } from '../judge/scenario-judges.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import type { PreparedScenario } from '../trial/run-trial.ts';
import type { ModelCaller } from './model-caller.ts';

/** A model that a run is going to call: an agent's or a judge's. */
export interface CalledModel {
  adapterName: string;
  provider: string;
  model: string;
  /** The scenario's file. */
  relativeFile: string;
}

export function calledModels(options: {
  prepared: readonly PreparedScenario[];
  /** Only recorded: no judge is called. */
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
