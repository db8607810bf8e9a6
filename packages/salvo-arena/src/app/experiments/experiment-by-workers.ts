import { openWorkers } from 'salvo/kit/app';
import type { Project } from 'salvo/kit/scenario';
import type { WorkRequest } from 'salvo/kit/work';
import type { ExperimentRecord } from '../../experiment/experiment-record.ts';
import type { ExperimentPlan } from '../../experiment/plan/experiment-plan.ts';
import { namedModels, parseBlueName, parseRedName, singleTeams } from '../../teams/team-name.ts';
import { matchModels } from '../scoring/match-judge.ts';
import { experimentKind } from './experiment-kind.ts';
import type { ExperimentGames } from './experiment-performer.ts';
import { type PlanTemplates, templatesFile } from './plan-templates.ts';

type Request = WorkRequest<ExperimentGames>;

/** Lets workers play the games of an experiment. */
export async function experimentByWorkers(
  request: Pick<Request, 'store' | 'project' | 'cwd' | 'env'> & {
    options: Partial<Pick<Request, 'workers' | 'concurrency' | 'budgetUsd' | 'stop' | 'abort' | 'onEvent'>>;
    experiment: ExperimentRecord;
    templates: PlanTemplates | undefined;
  },
): Promise<ExperimentRecord> {
  const { options, experiment, store, project, templates, cwd, env } = request;
  const { workers, stop, abort, onEvent } = options;
  const { plan } = experiment;
  const { config } = project;
  return await (await openWorkers()).perform(experimentKind, {
    ...{ store, project, cwd, env, workers, stop, abort, onEvent },
    id: experiment.experiment_id,
    record: experiment,
    settings: {},
    files: templates ? { templates: templatesFile(templates) } : {},
    labels: [workers?.labels ?? config.defaults.labels ?? []],
    budgetUsd: options.budgetUsd ?? plan.budget_usd ?? config.budget_usd ?? null,
    concurrency: options.concurrency ?? plan.concurrency ?? config.concurrency,
    needs: needsOf(plan, project),
  });
}

/** The commands of Blues, and the adapters of all models. */
function needsOf(plan: ExperimentPlan, { config }: Project): Request['needs'] {
  const context = { adapter: plan.adapter ?? config.default_adapter, adapters: Object.keys(config.adapters) };
  const reds = plan.red.map((name) => parseRedName(name, context));
  const blues = plan.blue.map((name) => parseBlueName(name, context));
  const models = [...namedModels([...reds, ...blues]), ...matchModels(plan, config)];
  return {
    adapters: [...new Set(models.map(({ adapter }) => adapter))],
    commands: blues.flatMap(singleTeams).flatMap((team) => (team.kind === 'command' ? [team.command] : [])),
  };
}
