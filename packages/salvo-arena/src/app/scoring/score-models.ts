import { adapterFromFolder } from 'salvo/kit/app';
import { type Budget, createBudget, withBudget } from 'salvo/kit/models';
import { loadProject, openProjectModels, type Workplace } from 'salvo/kit/project';
import { openResources } from 'salvo/kit/text';
import type { LlmOptions } from '../../match/llm/llm-options.ts';
import { type MatchModels, matchModels } from './match-judge.ts';

export interface ScoreModelOptions extends Workplace, MatchModels {
  judgeCache?: boolean | undefined;
  /** For the models; `budget_usd` of salvo.yaml if not given. */
  budgetUsd?: number | undefined;
}

/** The models that decide unclear pairs, as the project configures their adapters. */
export async function openScoreModels(
  options: ScoreModelOptions,
): Promise<AsyncDisposable & { llm: LlmOptions; budget: Budget }> {
  const { k, judgeCache, cwd = process.cwd(), env = process.env } = options;
  const project = await loadProject(cwd);
  const judge = options.judge === undefined ? undefined : adapterFromFolder(options.judge, { project, cwd });
  const models = matchModels({ ...options, judge }, project.config);
  await using resources = openResources();
  const services = resources.use(await openProjectModels({ project, env, cache: judgeCache }));
  for (const { adapter } of models) await services.checkReady(adapter);
  const called = models.map((model) => ({ ...model, file: '{option:llm}' }));
  const budget = createBudget(await services.budgetUsd(options.budgetUsd, called));
  const caller = withBudget(services.models, budget);
  const llm: LlmOptions = { models, caller, cache: services.voteCache, ...(k === undefined ? {} : { k }) };
  return resources.keepFor({ llm, budget });
}
