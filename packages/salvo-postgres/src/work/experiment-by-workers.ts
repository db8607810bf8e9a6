import type { Stoppable } from 'salvo/kit/app';
import type { Project } from 'salvo/kit/scenario';
import type { Store } from 'salvo/kit/store';
import { matchModels } from '../../../salvo-arena/src/app/scoring/match-judge.ts';
import type { ExperimentEvent } from '../../../salvo-arena/src/experiment/conduct-experiment.ts';
import type { ExperimentRecord } from '../../../salvo-arena/src/experiment/experiment-record.ts';
import type { ExperimentPlan } from '../../../salvo-arena/src/experiment/plan/experiment-plan.ts';
import { namedModels, parseBlueName, parseRedName } from '../../../salvo-arena/src/teams/team-name.ts';
import { packProject, sendParcel } from '../parcel/pack-project.ts';
import { leadExperimentOrder, workforceOf } from './lead-order.ts';
import { startLocalWorkers } from './local-workers.ts';
import { type ExperimentSettings, newOrder } from './order-settings.ts';
import { leaveOf, type WorkerUse } from './worker-use.ts';

/** Lets workers play the games of an experiment, and leads it until it ends or is left to them. */
export async function experimentByWorkers(request: {
  options: Stoppable & {
    workers?: WorkerUse | undefined;
    concurrency?: number | undefined;
    budgetUsd?: number | undefined;
    onEvent?: ((event: ExperimentEvent) => void) | undefined;
  };
  store: Store;
  experiment: ExperimentRecord;
  project: Project;
  cwd: string;
  env: Record<string, string | undefined>;
}): Promise<ExperimentRecord> {
  const { options, store, experiment, project, cwd, env } = request;
  const { workers = {} } = options;
  const { plan } = experiment;
  const packed = await packProject({ project, teams: teamsOf(plan, project), cwd, env });
  await sendParcel(packed, workforceOf(store).queue);
  const settings: ExperimentSettings = {
    labels: workers.labels ?? project.config.defaults.labels ?? [],
    budget_usd: options.budgetUsd ?? plan.budget_usd ?? project.config.budget_usd ?? null,
  };
  const order = newOrder({ kind: 'experiment', id: experiment.experiment_id }, packed, settings);
  const concurrency = options.concurrency ?? plan.concurrency ?? project.config.concurrency;
  await using local = startLocalWorkers(workers, { order, concurrency, cwd, env });
  const { stop, abort, onEvent } = options;
  return await leadExperimentOrder({
    store,
    order,
    experiment,
    isTakenOver: false,
    stop,
    abort,
    leave: leaveOf(workers),
    onEvent,
    local,
  });
}

/** Names that the parcel has to know: commands of Blues, and adapters of all models. */
function teamsOf(plan: ExperimentPlan, { config }: Project): { blue: string[]; adapters: string[] } {
  const context = { adapter: plan.adapter ?? config.default_adapter, adapters: Object.keys(config.adapters) };
  const teams = [
    ...plan.red.map((name) => parseRedName(name, context)),
    ...plan.blue.map((name) => parseBlueName(name, context)),
  ];
  const models = [...namedModels(teams), ...matchModels(plan, config)];
  return { blue: plan.blue, adapters: [...new Set(models.map(({ adapter }) => adapter))] };
}
