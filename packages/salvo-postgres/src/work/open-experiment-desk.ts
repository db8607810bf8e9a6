import { openProjectStore, projectRedactor } from 'salvo/kit/app';
import { outageGroup, type TakenJob } from 'salvo/kit/queue';
import { openResources, SalvoError } from 'salvo/kit/text';
import { openExperimentTeams } from '../../../salvo-arena/src/app/games/experiment-teams.ts';
import { performCellJob, waitsForLead } from '../../../salvo-arena/src/experiment/workers/perform-cell-job.ts';
import { experimentModule, experimentsOf } from '../../../salvo-arena/src/store/experiment-tables.ts';
import { asksModel } from '../../../salvo-arena/src/teams/team-name.ts';
import { openSharedLimits } from '../limits/shared-limits.ts';
import { createDesk, createNotifier, type Desk, type DeskSignals, joinedNotice } from './create-desk.ts';
import { workforceOf } from './lead-order.ts';
import type { DeskPlace } from './open-run-desk.ts';
import { experimentSettingsOf } from './order-settings.ts';

/** Makes the teams of an experiment ready on this machine. Throws if one of them cannot play here. */
export async function openExperimentDesk(place: DeskPlace, worker: DeskSignals): Promise<Desk> {
  return await createDesk(worker, async ({ stop, abort, isPointless }) => {
    await using resources = openResources();
    const { order, project, env, cwd } = place;
    const settings = experimentSettingsOf(order);
    const store = resources.adopt(await openProjectStore(project, { env }), (each) => each.close());
    const workforce = workforceOf(store);
    const limits = resources.use(openSharedLimits(workforce.ledger));
    const { getExperiment, getGame } = experimentsOf(store);
    const experiment = await getExperiment(order.work.id);
    if (!experiment) throw new SalvoError('EXPERIMENT_UNKNOWN', `There is no experiment ${order.work.id}.`);
    const teams = resources.use(
      await openExperimentTeams(experiment.plan, {
        project,
        env,
        cwd,
        budgetUsd: settings.budget_usd,
        shared: { limits, work: order.work },
      }),
    );
    const redactor = projectRedactor(project, env);
    const notify = createNotifier(place, redactor);
    const desk = {
      request: {
        experiment,
        redOf: teams.red,
        isRepeatable: (red: string) => !asksModel(red),
        budget: teams.budget,
        onEvent: () => {},
      },
      playUntil: teams.playUntil,
      stop,
      abort,
      getGame,
      recorderOf: (job: TakenJob) => workforce.ofJob(job.fence).tables(experimentModule),
      modelsOf: teams.modelsOf,
      outageOf: teams.outageOf,
      isOut: (model: { adapter: string; model: string }) => isPointless(outageGroup(model)),
      notify,
      worker: place.worker.worker_id,
    };
    await notify(joinedNotice(place.worker, false));
    return resources.keepFor({
      redactor,
      perform: (job: TakenJob) => performCellJob(job, desk),
      waitsForLead: () => waitsForLead(desk),
    });
  });
}
