import { createFence } from '../../models/ask/fence.ts';
import { fillTemplate } from '../../models/ask/prompts.ts';
import { messagesToJudge } from '../../models/scoring/templates.ts';
import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import type { Message } from '../../trace/message.ts';
import type { Trace } from '../../trace/trace.ts';
import type { JudgedScenario } from './context.ts';
import { buildJudgeContext } from './judge-context.ts';
import { buildCriteriaBlock, buildJudgePrompt } from './prompt.ts';
import type { ContextLimits, ContextSection } from './section-content.ts';

export interface JudgeMessagesInput {
  criteria: readonly CriterionLike[];
  trace: Trace;
  /** Its task counts, not the one in the trace, which the agent may have written itself. */
  scenario?: JudgedScenario | undefined;
  sections?: readonly ContextSection[] | undefined;
  includeSystemPrompt?: boolean | undefined;
  /** Replaces the default instructions; the rubric and the rules of the fence are added in any case. */
  customPrompt?: string | undefined;
  nonce: string;
  limits?: Partial<ContextLimits> | undefined;
}

/** The messages to a judge: its instructions, and the material in its fences. */
export function buildJudgeMessages(input: JudgeMessagesInput): Message[] {
  const { criteria, customPrompt, nonce } = input;
  const context = buildJudgeContext({ ...input, fence: createFence(nonce) });
  const instructions = customPrompt === undefined ? buildJudgePrompt(criteria) : filledPrompt(customPrompt, criteria);
  return messagesToJudge({ instructions, context, nonce });
}

function filledPrompt(customPrompt: string, criteria: readonly CriterionLike[]): string {
  const block = buildCriteriaBlock(criteria);
  return customPrompt.includes('{criteria_block}')
    ? fillTemplate(customPrompt, { criteria_block: block }).trim()
    : `${customPrompt.trim()}\n\n## Criteria\n${block}`;
}
