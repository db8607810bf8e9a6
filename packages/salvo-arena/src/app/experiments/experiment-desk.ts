import { outageGroup, type TakenJob } from 'salvo/kit/queue';
import { openResources } from 'salvo/kit/resources';
import type { DeskRequest, WorkDesk } from 'salvo/kit/work';
import type { ExperimentEvent } from '../../experiment/conduct-experiment.ts';
import type { ExperimentRecord } from '../../experiment/experiment-record.ts';
import { performCellJob, waitsForLead } from '../../experiment/workers/perform-cell-job.ts';
import { experimentModule, experimentsOf } from '../../store/experiment-tables.ts';
import { asksModel } from '../../teams/team-name.ts';
import { openExperimentTeams } from '../games/experiment-teams.ts';
import type { OpenExperiment } from './stored-experiments.ts';

/** Experiments whose games workers play. One list of labels is that of all games. */
export interface ExperimentGames {
  record: ExperimentRecord;
  event: ExperimentEvent;
  outcome: ExperimentRecord;
  ended: Omit<OpenExperiment, typeof Symbol.asyncDispose>;
  settings: Record<string, never>;
}

/** Makes the teams of an experiment ready on this machine. Throws if one of them cannot play here. */
export async function openExperimentDesk(request: DeskRequest<ExperimentGames>): Promise<WorkDesk> {
  await using resources = openResources();
  const { record: experiment, work, project, env, cwd, budgetUsd, limits, store, workforce } = request;
  const { stop, abort, notify, worker } = request;
  const shared = { limits, work };
  const teams = resources.use(await openExperimentTeams(experiment.plan, { project, env, cwd, budgetUsd, shared }));
  const desk = {
    request: {
      experiment,
      redOf: teams.red,
      isRepeatable: (red: string) => !asksModel(red),
      budget: teams.budget,
      onEvent: () => {},
    },
    ...{ stop, abort, notify, worker },
    playUntil: teams.playUntil,
    getGame: experimentsOf(store).getGame,
    recorderOf: (job: TakenJob) => workforce.ofJob(job.lease).tables(experimentModule),
    modelsOf: teams.modelsOf,
    outageOf: teams.outageOf,
    isOut: (model: { adapter: string; model: string }) => request.isPointless(outageGroup(model)),
  };
  return resources.keepFor({
    perform: (job: TakenJob) => performCellJob(job, desk),
    waitsForLead: () => waitsForLead(desk),
    tearsDown: false,
  });
}
