import { resolve } from 'node:path';
import { calibrationLookup, judgesInUse } from '../../judge/calibration/judges-in-use.ts';
import { peoplesVerdict } from '../../judge/calibration/people.ts';
import { scenarioJudges } from '../../judge/scenario-judges.ts';
import { refuseIfJudgesNotReady, refuseUnreadableFiles } from '../../run/conduct/prepare-scenario.ts';
import type { RunRecord, TrialsOfRun } from '../../run/record/run-record.ts';
import { reevaluate } from '../../run/reevaluate/reevaluate.ts';
import type { ReevaluateEvent, Reevaluation } from '../../run/reevaluate/reevaluation.ts';
import { scenariosForReeval } from '../../run/reevaluate/scenarios-for-reeval.ts';
import { loadProject } from '../../scenario/load-project.ts';
import { loadScenario } from '../../scenario/load-scenario.ts';
import { judgesOf } from '../../store/judge-tables.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { refuseAllCode } from '../../text/modules/permitted-code.ts';
import { openResources } from '../../text/open-resources.ts';
import { assertionFiles } from '../code/assertion-files.ts';
import { findRun, openProject, type Stoppable, type Workplace } from '../project/open-project.ts';
import { projectEnv } from '../project/project-env.ts';
import { openProjectModels } from '../project/project-models.ts';
import { answersOfRuns, comparedRuns } from '../runs/other-answers.ts';
import { refuseRunOfTest } from '../selection/test-files.ts';
import { chooseTrial } from './choose-trial.ts';
import { findTrials, type NamedTrials } from './find-trials.ts';

export interface ReevaluateOptions extends Workplace, Stoppable {
  /** A run, a scenario of it, a trial or a trace, named as for `replayTrial`. */
  target: string;
  /** The number of the trial, when it is not part of the target. */
  trial?: number | undefined;
  /** A file to take the assertions from, instead of the files of the run. */
  scenario?: string | undefined;
  /** False: judges' cached votes are ignored. */
  judgeCache?: boolean | undefined;
  /** For the judges; `budget_usd` of salvo.yaml if not given. */
  budgetUsd?: number | undefined;
  onEvent?: ((event: ReevaluateEvent) => void) | undefined;
}

/** Applies the assertions as they are now to the stored traces of a run, as a new run. No agent is called. */
export async function reevaluateRun(options: ReevaluateOptions): Promise<Reevaluation> {
  const { env = process.env } = options;
  await using opened = await openReevaluation(options);
  const { project, store, source, only, scenarios, scenarioOf, services } = opened;
  const context = { root: project.root, adapters: project.config.adapters, env: projectEnv(project, env) };
  for (const { scenario, file, relativeFile } of scenarios) {
    await refuseIfJudgesNotReady({ scenario, file: relativeFile, project, context });
    await refuseUnreadableFiles({ scenario, file, project });
  }
  const called = scenarios.flatMap(({ scenario, relativeFile: file }) =>
    scenarioJudges(scenario, project.config.judge).flatMap((each) => each.judges.map((judge) => ({ ...judge, file }))),
  );
  const budgetUsd = await services.budgetUsd(options.budgetUsd, called);
  const judges = judgesInUse({ scenarios, project, models: services.models });
  const compared = await comparedRuns(store, scenarios, source.options.compared_runs);
  return await reevaluate({
    source,
    scenarioOf,
    only,
    recorder: store,
    judgeServices: { ...services, answersOf: compared && answersOfRuns(store, compared) },
    comparedRuns: compared,
    assertionFiles: assertionFiles(scenarios, project),
    peopleOn: async (traceId, assertionId) => {
      const labels = await judgesOf(store).listLabels({ traceId });
      return peoplesVerdict(labels.filter(({ assertion_id }) => assertion_id === assertionId));
    },
    calibrationOf: calibrationLookup(judgesOf(store), judges),
    project,
    budgetUsd,
    stop: options.stop,
    abort: options.abort,
    onEvent: options.onEvent,
  });
}

/** What a reevaluation and its estimate need: the stored run, today's scenarios, and the judges' services. */
export async function openReevaluation(options: ReevaluateOptions) {
  const { cwd = process.cwd(), env = process.env } = options;
  await using resources = openResources();
  const { project: settings, store } = resources.use(await openProject({ cwd, env }));
  const { target, trial } = options;
  const named = await findTrials({ store, cwd, root: settings.root, target, trial });
  const { runId, only } = await trialsToJudge(store, named);
  const source = await findRun(store, runId);
  // The run that is judged again says whether plugins may be executed.
  if (source.options.no_code) refuseAllCode();
  const project = await loadProject(cwd);
  if (options.scenario === undefined && !source.options.imported) refuseRunOfTest(source, 'judged again');
  const scenarios = await scenariosForReeval({
    source,
    only: only?.scenario_index,
    given:
      options.scenario === undefined
        ? null
        : await loadScenario({ file: resolve(cwd, options.scenario), project, name: onlyName(source, only) }),
    load: ({ file, name }) => loadScenario({ file: resolve(project.root, file), project, name }),
  });
  const services = resources.use(await openProjectModels({ project, env, cache: options.judgeCache }));
  return resources.keepFor({
    project,
    store,
    source,
    only,
    scenarios: [...scenarios.values()],
    scenarioOf: (index: number) => scenarios.get(index) ?? null,
    services,
  });
}

/** Says which scenario of a file with several replaces the one that is judged again. */
function onlyName({ scenarios }: RunRecord, only: TrialsOfRun | undefined): string | undefined {
  const index = only?.scenario_index ?? (scenarios.length === 1 ? 0 : undefined);
  return index === undefined ? undefined : scenarios[index]?.name;
}

/** The run to judge again, and the part of it when a scenario, a trial or a trace was named. */
async function trialsToJudge(store: Store, named: NamedTrials): Promise<{ runId: string; only?: TrialsOfRun }> {
  if (named.kind === 'run') return { runId: named.runId };
  if (named.kind === 'scenario') return { runId: named.runId, only: { scenario_index: named.scenarioIndex } };
  const trial = named.kind === 'trace' ? named.trial : (await chooseTrial(store, named)).trial;
  if (named.kind === 'case' && trial) {
    const { scenario_index, case_index } = trial;
    return { runId: named.runId, only: { scenario_index, case_index } };
  }
  if (!trial) throw new SalvoError('TRIAL_UNKNOWN', 'No trial is stored for this trace.');
  const { run_id: runId, scenario_index, case_index, trial_number } = trial;
  return { runId, only: { scenario_index, case_index, trial_number } };
}
