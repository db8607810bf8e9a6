import { checkAdapterReady } from '../adapters/adapter-ready.ts';
import type { LlmOptions } from '../match/llm/llm-options.ts';
import { openJudging } from '../models/model-services.ts';
import { loadProject } from '../scenario/load-project.ts';
import type { ScoreCommandOptions } from './program/commands.ts';
import type { Terminal } from './terminal/terminal.ts';

interface ScoreModels extends AsyncDisposable {
  llm: LlmOptions;
}

/** The models that `salvo score --llm` asks, as the project knows their adapters; null without the option. */
export async function openScoreModels(
  { llm, judge, k, judgeCache }: Pick<ScoreCommandOptions, 'llm' | 'judge' | 'k' | 'judgeCache'>,
  { cwd, env }: Pick<Terminal, 'cwd' | 'env'>,
): Promise<ScoreModels | null> {
  if (llm.length === 0) return null;
  const project = await loadProject(cwd);
  const { adapters, judge: configured, default_adapter } = project.config;
  const models = llm.map((name) => {
    const [, adapter = judge ?? configured.adapter ?? default_adapter, model = name] =
      /^([^=]+)=(.+)$/.exec(name) ?? [];
    return { adapter, model };
  });
  const { models: caller, voteCache: cache } = await openJudging({ project, env, cache: judgeCache });
  for (const { adapter } of models) checkAdapterReady(adapter, { root: project.root, adapters, env });
  return {
    llm: { models, caller, cache, ...(k === undefined ? {} : { k }) },
    [Symbol.asyncDispose]: () => caller.close(),
  };
}
