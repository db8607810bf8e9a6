import { JUDGE_FENCE_TEMPLATE, JUDGE_SYSTEM_TEMPLATE, JUDGE_USER_TEMPLATE } from '../models/templates.ts';
import type { CriterionLike } from '../scenario/schema/criterion-schema.ts';
import { contentHash } from '../text/canonical-json.ts';
import { type ContextSection, sectionsFor } from './prompt/judge-sections.ts';

export interface JudgeIdentity {
  /** One, or a panel. `provider` is the adapter's `providerName()`: its name in a project says nothing. */
  judges: readonly { provider: string; model: string; weight?: number | undefined }[];
  temperature: number;
  criteria: readonly CriterionLike[];
  customPrompt?: string | undefined;
  sections?: readonly ContextSection[] | undefined;
  includeSystemPrompt?: boolean | undefined;
  templates?: { system: string; user: string; fence: string } | undefined;
}

const TEMPLATES = { system: JUDGE_SYSTEM_TEMPLATE, user: JUDGE_USER_TEMPLATE, fence: JUDGE_FENCE_TEMPLATE };

/**
 * What makes a judge this judge: model, prompt and rubric. Nothing of what it judges, and nothing of how its votes are
 * counted. The key of its calibration.
 */
export function judgeHash(judge: JudgeIdentity): string {
  const { system, user, fence } = judge.templates ?? TEMPLATES;
  const identity = {
    // The weight of a judge without others means nothing.
    judges: judge.judges.map(({ provider, model, weight = 1 }, _, all) => {
      return { provider, model, weight: all.length === 1 ? 1 : weight };
    }),
    temperature: judge.temperature,
    prompt: [judge.customPrompt ?? system, user, fence],
    criteria: judge.criteria.map(({ name, description, weight, scale, binary, reference }) => {
      return { name, description, weight, scale, binary: binary ? true : undefined, reference };
    }),
    sections: sectionsFor(judge.sections, judge.includeSystemPrompt),
  };
  return contentHash(identity);
}
