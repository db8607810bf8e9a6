import { resolve } from 'node:path';
import { calibrationLookup, judgesInUse } from '../judge/calibration/judges-in-use.ts';
import { refuseIfJudgesNotReady, refuseUnreadableManifests } from '../run/prepare-scenario.ts';
import { type Reevaluation, reevaluate } from '../run/reevaluate.ts';
import { scenariosForReeval } from '../run/scenarios-for-reeval.ts';
import { loadScenario } from '../scenario/load-scenario.ts';
import { resolveRunOrTrace } from '../store/resolve-id.ts';
import { findRun, openProject, type Stoppable, type Workplace } from './open-project.ts';
import { openResources } from './open-resources.ts';
import { openProjectModels } from './project-models.ts';

export interface ReevaluateOptions extends Workplace, Stoppable {
  /** The id of a run or a trace, the beginning of one, or `latest`. */
  target: string;
  /** A file to take the assertions from, instead of the files of the run. */
  scenario?: string | undefined;
  /** False: judges' cached votes are ignored. */
  judgeCache?: boolean | undefined;
}

/** Applies the assertions as they are now to the stored traces of a run, as a new run. No agent is called. */
export async function reevaluateRun(options: ReevaluateOptions): Promise<Reevaluation> {
  const { env = process.env } = options;
  await using opened = await openReevaluation(options);
  const { project, store, source, only, scenarios, scenarioOf, services } = opened;
  const context = { root: project.root, adapters: project.config.adapters, env };
  for (const { scenario, file, relativeFile } of scenarios) {
    refuseIfJudgesNotReady({ scenario, file: relativeFile, project, context });
    refuseUnreadableManifests({ scenario, file });
  }
  const judges = judgesInUse({ scenarios, project, models: services.models });
  return await reevaluate({
    source,
    scenarioOf,
    only,
    recorder: store,
    judgeServices: services,
    calibrationOf: calibrationLookup(store, judges),
    project,
    stop: options.stop,
    abort: options.abort,
  });
}

/** What a reevaluation and its estimate need: the stored run, today's scenarios, and the judges' services. */
export async function openReevaluation(options: ReevaluateOptions) {
  const { cwd = process.cwd(), env = process.env } = options;
  await using resources = openResources();
  const { project, store } = resources.use(await openProject({ cwd, env }));
  const { runId, trial } = await resolveRunOrTrace(store, options.target);
  const source = await findRun(store, runId);
  const load = (file: string) => loadScenario({ file, project });
  const scenarios = await scenariosForReeval({
    source,
    only: trial?.scenario_index,
    given: options.scenario === undefined ? null : await load(resolve(cwd, options.scenario)),
    load: (file) => load(resolve(project.root, file)),
  });
  const services = resources.use(await openProjectModels({ project, env, cache: options.judgeCache }));
  return resources.keepFor({
    project,
    store,
    source,
    /** Only this trial, when a trace was named. */
    only: trial ?? undefined,
    scenarios: [...scenarios.values()],
    scenarioOf: (index: number) => scenarios.get(index) ?? null,
    services,
  });
}
