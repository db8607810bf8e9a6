import { readModelName } from 'salvo/kit/adapters';
import type { ProjectModels } from 'salvo/kit/project';
import type { ProjectConfig } from 'salvo/kit/scenario';
import { SalvoError } from 'salvo/kit/text';
import { createDebatingCaller } from '../../game/debate/debating-caller.ts';
import { JudgeAgent } from '../../match/judge-agent.ts';
import type { JudgeAgentOptions } from '../../match/judge-agent-options.ts';
import type { LlmOptions, ModelChoice } from '../../match/llm/llm-options.ts';

/** Which models decide about unclear matches, and how. */
export interface MatchModels {
  /** Models to ask about unclear pairs: `model`, or `adapter=model`. Several decide together. */
  llm?: readonly string[] | undefined;
  /** The adapter of models that are named without one; `judge.adapter` of salvo.yaml if not given. */
  judge?: string | undefined;
  /** Votes of each model per unclear pair. */
  k?: number | undefined;
}

/** How the Judge of a game compares findings with the truth. */
export interface MatchJudgeOptions extends MatchModels {
  /** `evidence` if not given. */
  matcher?: JudgeAgentOptions['matcher'];
  /** Lets models argue about unclear matches: those of `llm`, or `judge.model` of salvo.yaml. */
  verify?: 'debate' | undefined;
}

export function judgeAsksModels({ llm = [], verify }: MatchJudgeOptions): boolean {
  return llm.length > 0 || verify !== undefined;
}

/** The models that a Judge asks, each with its adapter. */
export function matchModels(options: MatchJudgeOptions, config: ProjectConfig): ModelChoice[] {
  const { judge, llm = [], verify } = options;
  const names = llm.length === 0 && verify !== undefined ? [config.judge.model] : llm;
  const otherwise = judge ?? config.judge.adapter ?? config.default_adapter;
  return names.map((name) => {
    const { adapter = otherwise, model } = readModelName(name);
    return { adapter, model };
  });
}

/** The Judge of a game, and the models that it asks. */
export async function createMatchJudge(
  options: MatchJudgeOptions,
  services: ProjectModels | null,
): Promise<{ agent: JudgeAgent; models: ModelChoice[] }> {
  const { matcher = 'evidence', verify, k } = options;
  if (!judgeAsksModels(options) || !services) return { agent: new JudgeAgent({ matcher }), models: [] };
  const { config } = services.project;
  const models = matchModels(options, config);
  for (const { adapter } of models) await services.checkReady(adapter);
  const llm: LlmOptions = {
    models,
    caller: verify === undefined ? services.models : createDebatingCaller(services.models),
    cache: services.voteCache,
    // After a debate, one vote is enough if nothing else is asked for.
    ...(verify === undefined && k === undefined ? {} : { k: k ?? 1 }),
  };
  return { agent: new JudgeAgent({ matcher, llm }), models };
}

/**
 * A Judge for games that are only counted: a game with pairs that no model could decide fails, and can be played again.
 * Counted as it is, a failed call would be a miss.
 */
export function withoutUndecided(agent: JudgeAgent): Pick<JudgeAgent, 'scoreAsync'> {
  return {
    async scoreAsync(...game) {
      const results = await agent.scoreAsync(...game);
      const undecided = results.models?.undecided ?? 0;
      if (undecided === 0) return results;
      const pairs = undecided === 1 ? '1 pair' : `${undecided} pairs`;
      throw new SalvoError('PAIRS_UNDECIDED', `The models of the Judge left ${pairs} undecided.`);
    },
  };
}
