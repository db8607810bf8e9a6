import { resolveJudgeConfig } from '../judge/judge-config.ts';
import { judgeHash } from '../judge/judge-hash.ts';
import { isJudgeAssertion, judgesOf } from '../judge/judges-of.ts';
import type { ModelCaller } from '../models/model-caller.ts';
import type { LoadedScenario } from '../scenario/load-scenario.ts';
import type { Project } from '../scenario/schema/project-schema.ts';

/** A judge that scenarios ask for: model, prompt and rubric together. */
export interface JudgeInUse {
  judge_hash: string;
  /** Of a panel all of them. */
  judge_model: string;
  /** The first scenario that asks for it. */
  relativeFile: string;
  /** Its answers are written down: there is nothing to find out about it. */
  isScript: boolean;
}

/** Each judge once, in the order of the scenarios. */
export function judgesInUse(options: {
  scenarios: readonly Pick<LoadedScenario, 'scenario' | 'relativeFile'>[];
  project: Project;
  models: Pick<ModelCaller, 'providerName'>;
}): JudgeInUse[] {
  const projectJudge = options.project.config.judge;
  const byHash = new Map<string, JudgeInUse>();
  for (const { scenario, relativeFile } of options.scenarios) {
    for (const assertion of scenario.assertions.filter(isJudgeAssertion)) {
      if (!assertion.criteria) continue;
      const judges = judgesOf(assertion, projectJudge).map(({ adapter, model, weight }) => ({
        provider: options.models.providerName(adapter),
        model,
        weight,
      }));
      const judge_hash = judgeHash({
        judges,
        temperature: resolveJudgeConfig(assertion, projectJudge).temperature,
        criteria: assertion.criteria,
        customPrompt: assertion.custom_prompt,
        sections: assertion.context,
        includeSystemPrompt: assertion.include_system_prompt,
      });
      if (byHash.has(judge_hash)) continue;
      byHash.set(judge_hash, {
        judge_hash,
        judge_model: judges.map(({ model }) => model).join('+'),
        relativeFile,
        isScript: judges.every(({ provider }) => provider === 'scripted'),
      });
    }
  }
  return [...byHash.values()];
}
