import type { ToolDefinition } from '../../adapters/adapter.ts';
import type { DecisionLevel } from '../../adapters/decision-question.ts';
import { createFence } from '../../models/ask/fence.ts';
import { oneLine } from '../../models/ask/prompts.ts';
import { closedObject } from '../../models/ask/tool-schema.ts';
import { criterionKeys } from '../../models/scoring/criterion-keys.ts';
import type { CriterionQuestion } from '../../models/scoring/read-decision.ts';
import { SCORING_TOOL_NAME } from '../../models/scoring/scoring-tool.ts';
import { messagesToDecide, messagesToJudge } from '../../models/scoring/templates.ts';
import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import { dataFile } from '../../text/modules/data-file.ts';
import type { Message } from '../../trace/message.ts';
import { filledPrompt } from '../prompt/judge-messages.ts';
import { criterionText } from '../prompt/prompt.ts';
import { renderPart, type ShownPart } from '../prompt/shown-part.ts';

/** The instructions of a judge of pairs, with `{criteria_block}` for the rubric. */
const PAIRWISE_TEMPLATE = dataFile(import.meta.url, './pairwise-system.md').trim();

const PAIRWISE_DECIDE_TEMPLATE = dataFile(import.meta.url, './pairwise-decide.md').trim();

/** A rubric for pairs: which answer is better is the only question, so scales and yes or no do not apply. */
export function pairCriteria(criteria: readonly CriterionLike[]): CriterionLike[] {
  return criteria.map(({ name, description, weight, reference }) => ({
    name,
    description,
    weight,
    ...(reference !== undefined && { reference }),
  }));
}

function pairInstructions(customPrompt: string | undefined, mode: 'chat' | 'decide'): string {
  return customPrompt ?? (mode === 'decide' ? PAIRWISE_DECIDE_TEMPLATE : PAIRWISE_TEMPLATE);
}

interface PairMessages {
  criteria: readonly CriterionLike[];
  customPrompt: string | undefined;
  part: ShownPart;
  nonce: string;
}

/** The messages to a chat model. */
export function pairMessages({ criteria, customPrompt, part, nonce }: PairMessages): Message[] {
  const instructions = filledPrompt(pairInstructions(customPrompt, 'chat'), criteria);
  return messagesToJudge({ instructions, context: renderPart(part, createFence(nonce)), nonce });
}

/** The messages to a decision model. A program gets the questions in the text, too. */
export function pairDecisionMessages(
  { criteria, customPrompt, part, nonce }: PairMessages,
  questions: readonly CriterionQuestion[] | null,
): Message[] {
  const written = pairInstructions(customPrompt, 'decide');
  const instructions = customPrompt === undefined ? written : filledPrompt(written, criteria);
  const prompt = { instructions, context: renderPart(part, createFence(nonce)), nonce };
  return messagesToDecide(prompt, questions?.map(({ question }) => question) ?? null);
}

/** The tool that a judge calls with its preferences. It has the name of the tool for scores, whose answers are read alike. */
export function buildPairTool(criteria: readonly CriterionLike[]): ToolDefinition {
  const keys = criterionKeys(criteria);
  const preference = (name: string) => ({
    ...closedObject({
      reasoning: { type: 'string', description: 'What in the two answers decided it, in one to three sentences.' },
      score: {
        type: 'number',
        minimum: 0,
        maximum: 1,
        description: '1.0: answer A is better. 0.5: both are equally good. 0.0: answer B is better.',
      },
    }),
    ...(keys.get(name) !== name && { description: `The criterion "${oneLine(name)}"` }),
  });
  const properties = new Map(criteria.map(({ name }) => [keys.get(name) ?? name, preference(name)]));
  return {
    name: SCORING_TOOL_NAME,
    description: 'Hands in your judgement: for every criterion the reasoning, then which of the two answers is better.',
    parameters: closedObject(Object.fromEntries(properties)),
  };
}

const LEVELS: readonly DecisionLevel[] = [
  { label: 'B', description: 'Answer B is better by this criterion.' },
  { label: 'equal', description: 'Both are equally good, or equally bad, by this criterion.' },
  { label: 'A', description: 'Answer A is better by this criterion.' },
];

/** One question for each criterion. The score of a level is how far it prefers answer A. */
export function pairQuestions(criteria: readonly CriterionLike[]): CriterionQuestion[] {
  const keys = criterionKeys(criteria);
  return criteria.map((criterion) => ({
    criterion: criterion.name,
    question: {
      type: 'score',
      name: keys.get(criterion.name) ?? criterion.name,
      instructions: `Which answer is better by this criterion? ${criterionText(criterion)}`,
      levels: LEVELS,
    },
    scores: [0, 0.5, 1],
  }));
}

/** Everything that a judge of pairs is told beside the rubric: a part of what a judge is. */
export function pairIdentity(customPrompt: string | undefined): string {
  const criteria = [{ name: 'a', description: 'b', weight: 1 }];
  return JSON.stringify([
    pairInstructions(customPrompt, 'chat'),
    pairInstructions(customPrompt, 'decide'),
    pairQuestions(criteria),
    buildPairTool(criteria),
  ]);
}
