import { outageGroup, type TakenJob } from 'salvo/kit/queue';
import { openResources } from 'salvo/kit/resources';
import type { PerformerRequest, WorkPerformer } from 'salvo/kit/work';
import type { ExperimentEvent } from '../../experiment/conduct-experiment.ts';
import type { ExperimentRecord } from '../../experiment/experiment-record.ts';
import { experimentModule, experimentsOf } from '../../store/experiment-tables.ts';
import { openExperimentTeams } from '../games/experiment-teams.ts';
import { askedModels, performCellJob, type ReadyExperiment, waitsForCoordinator } from './perform-cell-job.ts';
import type { OpenExperiment } from './stored-experiments.ts';

/** Experiments whose games workers play. One list of labels is that of all games. */
export interface ExperimentGames {
  record: ExperimentRecord;
  event: ExperimentEvent;
  outcome: ExperimentRecord;
  ended: Omit<OpenExperiment, typeof Symbol.asyncDispose>;
  settings: Record<string, never>;
}

/** Code of the user travels with the order: a worker has neither the folder nor the right to fetch it. */
async function sentTemplates({ record, readFile }: PerformerRequest<ExperimentGames>) {
  if (!record.plan.own_code) return undefined;
  const { readTemplatesFile } = await import('./plan-templates.ts');
  return readTemplatesFile(await readFile('templates'));
}

/** Makes the teams of an experiment ready on this machine. Throws if one of them cannot play here. */
export async function openExperimentPerformer(request: PerformerRequest<ExperimentGames>): Promise<WorkPerformer> {
  await using resources = openResources();
  const { record: experiment, work, project, env, cwd, budgetUsd, limits, store, workerAccess, stop, abort } = request;
  const shared = { limits, work };
  const templates = await sentTemplates(request);
  const teams = resources.use(
    await openExperimentTeams(experiment.plan, {
      project,
      env,
      cwd,
      budgetUsd,
      shared,
      ...(templates && { templates }),
    }),
  );
  const { budget, outageOf, playUntil, modelsOf } = teams;
  // Not during the first games: on a busy machine a worker that loads much code is silent for longer than a lease.
  await teams.prepare();
  const ready: ReadyExperiment = {
    request: { experiment, redOf: teams.red, budget, onEvent: () => {} },
    ...{ stop, abort, playUntil, modelsOf, outageOf },
    getGame: experimentsOf(store).getGame,
    recorderOf: (job) => workerAccess.ofJob(job.lease).tables(experimentModule),
    isOut: (model) => request.isPointless(outageGroup(model)),
  };
  return resources.keepFor({
    perform: (job: TakenJob) => performCellJob(job, ready),
    models: {
      ...{ budget, outageOf },
      asked: askedModels(ready),
      waitsForCoordinator: () => waitsForCoordinator(ready),
    },
  });
}
