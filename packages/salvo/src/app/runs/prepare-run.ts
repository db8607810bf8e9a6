import {
  calledModels,
  type DescribedScenario,
  describeScenario,
  prepareScenario,
} from '../../run/conduct/prepare-scenario.ts';
import { entryKey } from '../../run/record/candidate-labels.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { OpenResources } from '../../text/open-resources.ts';
import { openProjectCalls, type ProjectCalls } from '../project/project-calls.ts';
import { projectEnv } from '../project/project-env.ts';
import type { ProjectModels } from '../project/project-models.ts';
import type { ChosenEntry } from '../selection/choose-entries.ts';
import { codeOfRun } from './code-of-run.ts';
import type { KnownJudges } from './known-judges.ts';
import type { RunPlan } from './plan-run.ts';

/** What calls models: agents, and judges if the run has any. */
export type RunServices = ProjectCalls & Partial<Pick<ProjectModels, 'models' | 'voteCache'>>;

/** A run whose trials can begin. */
export type PreparedRun = Awaited<ReturnType<typeof prepareRun>>;

/** Makes adapters and judges ready, and opens the store. What it opens is closed with `resources`. */
export async function prepareRun(plan: RunPlan, resources: OpenResources) {
  const { options, project, chosen, recordOnly } = plan;
  const calls = { project, env: plan.env, retries: options.retries };
  const ofJudges = recordOnly || !hasJudge(chosen) ? null : await import('./known-judges.ts');
  const asked = ofJudges && resources.use(await ofJudges.openProjectModels({ ...calls, cache: options.judgeCache }));
  const services: RunServices = asked ?? openProjectCalls(calls);
  const preparation = { project, env: projectEnv(project, plan.env), recordOnly, limiterOf: services.limiterOf };
  // The same scenarios with their adapters, if these are needed in this process.
  const ready = plan.preparesHere
    ? await Promise.all(
        chosen.map(({ loaded, adapter, model }) => prepareScenario(loaded, { ...preparation, adapter, model })),
      )
    : [];
  const scenarios: readonly DescribedScenario[] = plan.preparesHere
    ? ready
    : chosen.map(({ loaded, adapter, model }) => describeScenario(loaded, { ...preparation, adapter, model }));
  if (!plan.earlier) refuseSameTwice(scenarios);
  resources.defer(async () => {
    await Promise.all(ready.map(({ adapter }) => adapter.close?.()));
  });
  for (const { adapter } of ready) await adapter.prepare?.();
  const models = await calledModels({ prepared: scenarios, project, recordOnly });
  const budgetUsd = await services.budgetUsd(plan.budgetUsd, models);
  const run = await plan.record(scenarios, await codeOfRun(chosen, preparation));
  // Only now: wrong input must not leave an empty store behind.
  const store = await plan.openStore();
  const judges = ofJudges && asked ? await ofJudges.knownJudges(scenarios, { ...asked, store }) : NO_JUDGES;
  return { run, store, services, scenarios, ready, judges, budgetUsd };
}

const NO_JUDGES: KnownJudges = { judges: [], uncalibrated: [] };

/** Most runs ask no judge, and load nothing for one. */
function hasJudge(chosen: readonly ChosenEntry[]): boolean {
  return chosen.some(({ loaded }) => loaded.scenario.assertions.some(({ type }) => type === 'judge'));
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
