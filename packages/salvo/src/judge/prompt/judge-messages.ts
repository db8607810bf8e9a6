import type { DecisionQuestion } from '../../adapters/decision-question.ts';
import { createFence } from '../../models/ask/fence.ts';
import { fillTemplate } from '../../models/ask/prompts.ts';
import { messagesToDecide, messagesToJudge } from '../../models/scoring/templates.ts';
import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import type { Message } from '../../trace/message.ts';
import { buildCriteriaBlock, buildJudgePrompt, DECIDE_SYSTEM_TEMPLATE } from './prompt.ts';
import { renderPart, type ShownPart } from './shown-part.ts';

export interface JudgeMessagesInput {
  criteria: readonly CriterionLike[];
  /** Replaces the default instructions; the rubric and the rules of the fence are added in any case. */
  customPrompt?: string | undefined;
  part: ShownPart;
  nonce: string;
}

/** The messages to a judge: its instructions, and the material in its fences. */
export function buildJudgeMessages({ criteria, customPrompt, part, nonce }: JudgeMessagesInput): Message[] {
  const context = renderPart(part, createFence(nonce));
  const instructions = customPrompt === undefined ? buildJudgePrompt(criteria) : filledPrompt(customPrompt, criteria);
  return messagesToJudge({ instructions, context, nonce });
}

/** The messages to a decision model. `questions` are those that a program has to find in its text. */
export function buildDecisionMessages(
  { criteria, customPrompt, part, nonce }: JudgeMessagesInput,
  questions: readonly DecisionQuestion[] | null,
): Message[] {
  const context = renderPart(part, createFence(nonce));
  const instructions = customPrompt === undefined ? DECIDE_SYSTEM_TEMPLATE : filledPrompt(customPrompt, criteria);
  return messagesToDecide({ instructions, context, nonce }, questions);
}

export function filledPrompt(customPrompt: string, criteria: readonly CriterionLike[]): string {
  const block = buildCriteriaBlock(criteria);
  return customPrompt.includes('{criteria_block}')
    ? fillTemplate(customPrompt, { criteria_block: block }).trim()
    : `${customPrompt.trim()}\n\n## Criteria\n${block}`;
}
