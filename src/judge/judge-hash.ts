import type { ModelCaller } from '../models/model-caller.ts';
import { JUDGE_FENCE_TEMPLATE, JUDGE_USER_TEMPLATE } from '../models/scoring/templates.ts';
import { contentHash } from '../text/canonical-json.ts';
import { JUDGE_SYSTEM_TEMPLATE } from './prompt/prompt.ts';
import { sectionsFor } from './prompt/section-content.ts';
import type { BallotRequest } from './votes/cast-vote.ts';

/** The settings that change what a judge answers. How its votes are counted is not among them. */
export type JudgeIdentity = Pick<
  BallotRequest,
  'judges' | 'temperature' | 'criteria' | 'customPrompt' | 'sections' | 'includeSystemPrompt'
>;

const TEMPLATES = { system: JUDGE_SYSTEM_TEMPLATE, user: JUDGE_USER_TEMPLATE, fence: JUDGE_FENCE_TEMPLATE };

/**
 * The hash of model, prompt and rubric: the key of a judge's calibration. This is the only place that assembles it, so
 * that a judge's verdicts and its calibration always have the same one. What is judged does not change it.
 */
export function judgeHash(
  judge: JudgeIdentity,
  models: Pick<ModelCaller, 'providerName'>,
  templates = TEMPLATES,
): string {
  const identity = {
    // By provider, because a project may name an adapter as it likes. The weight of a single judge has no effect.
    judges: judge.judges.map(({ adapter, model, weight }, _, all) => {
      return { provider: models.providerName(adapter), model, weight: all.length === 1 ? 1 : weight };
    }),
    temperature: judge.temperature,
    prompt: [judge.customPrompt ?? templates.system, templates.user, templates.fence],
    criteria: judge.criteria.map(({ name, description, weight, scale, binary, reference }) => {
      return { name, description, weight, scale, binary: binary ? true : undefined, reference };
    }),
    sections: sectionsFor(judge.sections, judge.includeSystemPrompt),
  };
  return contentHash(identity);
}
