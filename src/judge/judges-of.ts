import type { Assertion, AssertionOf } from '../scenario/schema/assertion-schema.ts';
import type { ProjectConfig } from '../scenario/schema/project-schema.ts';
import { resolveJudgeConfig } from './judge-config.ts';
import type { Judge } from './votes/cast-vote.ts';

type JudgeAssertion = AssertionOf<'judge'>;

/** No registered type can have the name of a built-in one. */
export function isJudgeAssertion(assertion: Assertion): assertion is JudgeAssertion {
  return assertion.type === 'judge';
}

/** Who judges: the assertion's panel, or the one judge it comes down to. */
export function judgesOf(assertion: JudgeAssertion, projectJudge: ProjectConfig['judge'] | undefined): Judge[] {
  const { judge_adapter, judge_model } = resolveJudgeConfig(assertion, projectJudge);
  const judges = assertion.judges ?? [{ model: judge_model, weight: 1 }];
  return judges.map(({ adapter, ...judge }) => ({ ...judge, adapter: adapter ?? judge_adapter }));
}
