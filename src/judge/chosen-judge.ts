import { checkAdapterReady } from '../adapters/adapter-ready.ts';
import { judgeAssertionSchema } from '../scenario/schema/assertion-schema.ts';
import type { Criterion } from '../scenario/schema/criterion-schema.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import { type JudgeAssertion, judgeSettings } from './scenario-judges.ts';
import type { Judge } from './votes/cast-vote.ts';

/** What a command line can say about a judge. */
export interface JudgeOptions {
  judge?: string | undefined;
  model?: string | undefined;
  k?: number | undefined;
  threshold?: number | undefined;
}

/** The judge that was asked for on the command line, as a scenario would ask for it. */
export function chosenJudge(asked: JudgeAssertion | readonly Criterion[], options: JudgeOptions): JudgeAssertion {
  const assertion = isRubric(asked) ? judgeAssertionSchema.parse({ type: 'judge', criteria: asked }) : asked;
  const { judge, model } = options;
  return {
    ...assertion,
    judge_adapter: judge ?? assertion.judge_adapter,
    judge_model: model ?? assertion.judge_model,
    // Whoever names a judge means this one, and not a panel.
    judges: judge === undefined && model === undefined ? assertion.judges : undefined,
    k: options.k ?? assertion.k,
    threshold: options.threshold ?? assertion.threshold,
  };
}

/** A judge that cannot be called would leave everything unscored: better to say so before the first call. */
export function readyJudges(options: {
  assertion: JudgeAssertion;
  project: Project;
  env: Record<string, string | undefined>;
}): readonly Judge[] {
  const { root, config } = options.project;
  const { judges } = judgeSettings(options.assertion, config.judge);
  for (const { adapter } of judges) checkAdapterReady(adapter, { root, adapters: config.adapters, env: options.env });
  return judges;
}

function isRubric(asked: JudgeAssertion | readonly Criterion[]): asked is readonly Criterion[] {
  return Array.isArray(asked);
}
