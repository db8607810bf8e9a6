import type { Estimate } from '../../run/estimate/estimate.ts';
import { estimateReeval } from '../../run/estimate/estimate-reeval.ts';
import { earlierTraces, estimateRun as estimateEntries } from '../../run/estimate/estimate-run.ts';
import { loadProject } from '../../scenario/load-project.ts';
import { openStoreIfAny, type Workplace } from '../project/open-project.ts';
import { openProjectModels } from '../project/project-models.ts';
import { openReevaluation, type ReevaluateOptions } from '../results/reevaluate.ts';
import type { CandidateOptions } from '../selection/candidates.ts';
import { chooseEntries, namedCandidate } from '../selection/choose-entries.ts';
import { failedInLatestRun } from '../selection/failed-cases.ts';
import type { RunFilesOptions } from './run-options.ts';

export type EstimateRunOptions = Workplace &
  CandidateOptions &
  Pick<RunFilesOptions, 'files' | 'tags' | 'grep' | 'cases' | 'holdout' | 'failed' | 'trials' | 'recordOnly'>;

/** What a run of scenario files would call and cost. Nothing is called and nothing is stored. */
export async function estimateRun(options: EstimateRunOptions): Promise<Estimate> {
  const { cwd = process.cwd(), env = process.env, files, tags, grep, cases, trials, recordOnly } = options;
  const project = await loadProject(cwd);
  await using earlier = await openStoreIfAny(project, { env });
  const { store } = earlier;
  const failed = options.failed ? await failedInLatestRun(store) : undefined;
  const { chosen } = await chooseEntries({
    options,
    project,
    cwd,
    files,
    tags,
    grep,
    cases,
    holdout: options.holdout,
    failed,
  });
  await using services = await openProjectModels({ project, env, cache: false });
  return await estimateEntries({
    entries: chosen.map((each) => {
      const { loaded, cases, user } = each;
      return { loaded, cases, user, ...namedCandidate(each, project) };
    }),
    project,
    trials: trials ?? null,
    recordOnly,
    pricing: services.pricing,
    models: services.models,
    earlierTraces: async (entry) => (store ? earlierTraces(store, entry) : []),
  });
}

/** What judging stored traces again would ask of judges and cost. Nothing is called and nothing is stored. */
export async function estimateReevaluation(options: ReevaluateOptions): Promise<Estimate> {
  await using opened = await openReevaluation(options);
  const { project, store, source, only, scenarioOf, services } = opened;
  return await estimateReeval({
    source,
    scenarioOf,
    only,
    recorder: store,
    project,
    pricing: services.pricing,
    judgeServices: services,
  });
}
