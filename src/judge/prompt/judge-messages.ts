import { createFence } from '../../models/fence.ts';
import { fillTemplate, JUDGE_FENCE_TEMPLATE, JUDGE_USER_TEMPLATE } from '../../models/templates.ts';
import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import type { Message } from '../../trace/message.ts';
import type { Trace } from '../../trace/trace.ts';
import type { JudgedScenario } from './context.ts';
import type { ContextLimits } from './context-limits.ts';
import { buildJudgeContext } from './judge-context.ts';
import { type ContextSection, sectionsFor } from './judge-sections.ts';
import { buildCriteriaBlock, buildJudgePrompt } from './prompt.ts';

interface Judgement {
  criteria: readonly CriterionLike[];
  trace: Trace;
  scenario?: JudgedScenario | undefined;
  sections?: readonly ContextSection[] | undefined;
  includeSystemPrompt?: boolean | undefined;
  /** Instead of the usual instructions; the rubric and the rules of the fence go with it all the same. */
  customPrompt?: string | undefined;
  nonce: string;
  limits?: Partial<ContextLimits> | undefined;
}

/** What a judge is asked: its instructions, and the material in its fences. */
export function buildJudgeMessages(judgement: Judgement): Message[] {
  const { criteria, trace, scenario, customPrompt, nonce, limits } = judgement;
  const sections = sectionsFor(judgement.sections, judgement.includeSystemPrompt);
  const context = buildJudgeContext({ trace, scenario, sections, fence: createFence(nonce), limits });
  const instructions = customPrompt === undefined ? buildJudgePrompt(criteria) : ownPrompt(customPrompt, criteria);
  // The code comes last, so that all before it is the same for every trial and providers can cache it.
  const system = `${instructions}\n\n${fillTemplate(JUDGE_FENCE_TEMPLATE, { nonce })}`;
  return [
    { role: 'system', content: system },
    { role: 'user', content: fillTemplate(JUDGE_USER_TEMPLATE, { context_block: context }) },
  ];
}

function ownPrompt(customPrompt: string, criteria: readonly CriterionLike[]): string {
  const block = buildCriteriaBlock(criteria);
  return customPrompt.includes('{criteria_block}')
    ? fillTemplate(customPrompt, { criteria_block: block }).trim()
    : `${customPrompt.trim()}\n\n## Criteria\n${block}`;
}
