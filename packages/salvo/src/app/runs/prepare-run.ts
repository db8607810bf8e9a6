import type { CalledModel } from '../../models/budget/unknown-prices.ts';
import {
  calledModels,
  type DescribedScenario,
  describeScenario,
  prepareScenario,
} from '../../run/conduct/prepare-scenario.ts';
import type { AnswersOf } from '../../run/conduct/run-request.ts';
import { entryKey } from '../../run/record/candidate-labels.ts';
import { plannedCases } from '../../run/record/planned-cases.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import { casesOfShard } from '../../run/record/shard.ts';
import { everyAssertion } from '../../scenario/cases/case-fields.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { OpenResources } from '../../text/open-resources.ts';
import { isPlayedByModel } from '../../trial/user/resolve-user.ts';
import { openProjectCalls, type ProjectCalls } from '../project/project-calls.ts';
import { projectEnv } from '../project/project-env.ts';
import type { ProjectModels } from '../project/project-models.ts';
import type { ChosenEntry } from '../selection/choose-entries.ts';
import type { OpenCassettes } from './cassettes.ts';
import { codeOfRun } from './code-of-run.ts';
import type { KnownJudges } from './known-judges.ts';
import { mayHaveCassettes, mayHaveToolCassettes, type RunPlan } from './plan-run.ts';
import type { OpenToolCassettes } from './tool-cassettes.ts';

/** What calls models: agents, and judges if the run has any. */
export type RunServices = ProjectCalls & Partial<Pick<ProjectModels, 'models' | 'voteCache'>>;

/** A run whose trials can begin. */
export type PreparedRun = Awaited<ReturnType<typeof prepareRun>>;

/** Makes adapters and judges ready, and opens the store. What it opens is closed with `resources`. */
export async function prepareRun(plan: RunPlan, resources: OpenResources) {
  const { options, project, chosen, recordOnly } = plan;
  const cassettes = await cassettesOf(plan);
  const toolCassettes = await toolCassettesOf(plan);
  const calls = { project, env: plan.env, retries: options.retries, cassettes };
  const ofJudges = recordOnly || !hasJudge(chosen) ? null : await import('./known-judges.ts');
  const ofModels = ofJudges ?? (hasUser(chosen) ? await import('../project/project-models.ts') : null);
  const asked = ofModels && resources.use(await ofModels.openProjectModels({ ...calls, cache: options.judgeCache }));
  const services: RunServices = asked ?? openProjectCalls(calls);
  const preparation = {
    project,
    env: projectEnv(project, plan.env),
    recordOnly,
    limiterOf: services.limiterOf,
    cassettes,
    toolCassetteOf: toolCassettes?.cassetteOf,
  };
  // The same scenarios with their adapters, if these are needed in this process.
  const ready = plan.preparesHere
    ? await Promise.all(
        chosen.map(({ loaded, adapter, model, user }) =>
          prepareScenario(loaded, { ...preparation, adapter, model, user }),
        ),
      )
    : [];
  const scenarios: readonly DescribedScenario[] = plan.preparesHere
    ? ready
    : chosen.map(({ loaded, adapter, model, user }) =>
        describeScenario(loaded, { ...preparation, adapter, model, user }),
      );
  if (!plan.earlier) refuseSameTwice(scenarios);
  resources.defer(async () => {
    await Promise.all(ready.map(({ adapter }) => adapter.close?.()));
  });
  for (const { adapter } of ready) await adapter.prepare?.();
  const models = await calledModels({ prepared: scenarios, project, recordOnly });
  const budgetUsd = await limitFor(models, plan.budgetUsd, { services, cassettes });
  const code = await codeOfRun(chosen, preparation);
  const record = await plan.record(scenarios, {
    ...code,
    cassette: cassettes?.record,
    toolCassettes: toolCassettes?.record,
  });
  // Only now: wrong input must not leave an empty store behind.
  const store = await plan.openStore();
  const { run: planned, answersOf } = await withComparedRuns(record, store, scenarios);
  const { stop, abort } = options;
  const onStart = () => options.onEvent?.({ type: 'checking_judges' });
  const isReplayed = (adapter: string) => cassettes?.isReplayed(adapter) ?? false;
  const judges =
    ofJudges && asked
      ? await ofJudges.knownJudges(scenarios, {
          ...{ ...asked, store, runId: planned.run_id, earlier: planned.options.drift_checks },
          check: options.checkJudge ? { budgetUsd, isReplayed, stop, abort, onStart } : null,
        })
      : NO_JUDGES;
  const run = judges.checks
    ? { ...planned, options: { ...planned.options, drift_checks: [...judges.checks] } }
    : planned;
  return { run, store, answersOf, services, scenarios, ready, judges, budgetUsd, cassettes, toolCassettes };
}

/** Loads nothing for a run without a cassette. */
async function cassettesOf(plan: RunPlan): Promise<OpenCassettes | null> {
  const { project, options, chosen, earlier } = plan;
  if (!mayHaveCassettes(project, options) && !earlier?.options.cassette) return null;
  const { openCassettes } = await import('./cassettes.ts');
  const given = { project, env: projectEnv(project, plan.env) };
  const trials = earlier ? earlier.options.trials : (options.trials ?? null);
  const described = chosen.map(({ loaded, adapter, model, user }) =>
    describeScenario(loaded, { ...given, adapter, model, user }),
  );
  const all = described.map(({ scenario }, at) =>
    plannedCases(scenario, { options: { trials }, chosen: chosen[at]?.cases ?? null }),
  );
  const cases = options.shard ? casesOfShard(all, options.shard) : all;
  return openCassettes({
    ...plan,
    hasToolCassettes: mayHaveToolCassettes(chosen),
    scenarios: described.map((each, at) => ({ described: each, cases: cases[at] ?? [] })),
  });
}

/** Loads nothing for a run whose tools have no cassette. */
async function toolCassettesOf(plan: RunPlan): Promise<OpenToolCassettes | null> {
  const { chosen, options, earlier } = plan;
  if (!mayHaveToolCassettes(chosen)) return null;
  const { openToolCassettes } = await import('./tool-cassettes.ts');
  const isWhole = !options.shard && !options.earlyStop && !earlier && chosen.every(({ cases }) => cases === null);
  return openToolCassettes({ ...plan, scenarios: chosen.map(({ loaded }) => loaded), isWhole });
}

/** What is replayed costs nothing, and needs no known price. */
export async function limitFor(
  models: readonly CalledModel[],
  asked: number | undefined,
  { services, cassettes }: { services: ProjectCalls; cassettes: OpenCassettes | null },
): Promise<number | null> {
  const called = models.filter(({ adapter }) => !cassettes?.isReplayed(adapter));
  return called.length === 0 && models.length > 0 ? null : services.budgetUsd(asked, called);
}

/** Loads nothing for a run whose judges compare nothing with other runs. */
async function withComparedRuns(
  run: RunRecord,
  store: Store,
  scenarios: readonly DescribedScenario[],
): Promise<{ run: RunRecord; answersOf: AnswersOf | undefined }> {
  const compares = scenarios.some(({ scenario }) =>
    everyAssertion(scenario).some(
      (each) => 'against' in each && each.against !== undefined && each.against !== 'reference',
    ),
  );
  if (!compares || run.options.record_only) return { run, answersOf: undefined };
  const { answersOfRuns, comparedRuns } = await import('./other-answers.ts');
  const compared_runs = await comparedRuns(store, scenarios, run.options.compared_runs);
  return {
    run: { ...run, options: { ...run.options, compared_runs } },
    answersOf: answersOfRuns(store, compared_runs),
  };
}

const NO_JUDGES: KnownJudges = { judges: [], uncalibrated: [] };

/** Most runs ask no judge, and load nothing for one. */
function hasJudge(chosen: readonly ChosenEntry[]): boolean {
  return chosen.some(({ loaded }) => everyAssertion(loaded.scenario).some(({ type }) => type === 'judge'));
}

/** Whether a model plays a user. */
function hasUser(chosen: readonly ChosenEntry[]): boolean {
  return chosen.some(({ loaded: { scenario }, user }) => scenario.user && isPlayedByModel(scenario.user, user));
}

/** Two candidates that name the same in different ways would be indistinguishable in reports. */
function refuseSameTwice(prepared: readonly DescribedScenario[]): void {
  const seen = new Set<string>();
  for (const { relativeFile, scenario, adapterName, model } of prepared) {
    const key = entryKey({ file: relativeFile, name: scenario.name, adapter: adapterName, model });
    if (seen.has(key)) {
      throw new SalvoError(
        'OPTIONS_INVALID',
        `${relativeFile} would run twice with the adapter ${adapterName} and the model ${model}: leave one of them out.`,
      );
    }
    seen.add(key);
  }
}
