import type { DecisionQuestion } from '../../adapters/decision-question.ts';
import { dataFile } from '../../text/modules/data-file.ts';
import type { Message } from '../../trace/message.ts';
import { fillTemplate } from '../ask/prompts.ts';

/** The question of a judge, with `{context_block}` for the material. */
export const JUDGE_USER_TEMPLATE = dataFile(import.meta.url, './templates/judge-user.md').trim();

/** Explains the fences around the material, with `{nonce}`. Added to whatever instructions there are. */
export const JUDGE_FENCE_TEMPLATE = dataFile(import.meta.url, './templates/judge-fence.md').trim();

/** What a decision model is told beside its questions, with `{context_block}` for the material. */
export const DECIDE_USER_TEMPLATE = dataFile(import.meta.url, './templates/decide-user.md').trim();

/** The questions for a program, which sees only the messages, with `{questions}` for their JSON. */
const DECIDE_QUESTIONS_TEMPLATE = dataFile(import.meta.url, './templates/decide-questions.md').trimEnd();

/** The messages to any judge. `context` is the material, in fences with the nonce. */
export function messagesToJudge(prompt: { instructions: string; context: string; nonce: string }): Message[] {
  return messagesWith(prompt, fillTemplate(JUDGE_USER_TEMPLATE, { context_block: prompt.context }));
}

/** The messages to a decision model. A program gets the questions in the text, too. */
export function messagesToDecide(
  prompt: { instructions: string; context: string; nonce: string },
  questions: readonly DecisionQuestion[] | null,
): Message[] {
  const block = questions
    ? fillTemplate(DECIDE_QUESTIONS_TEMPLATE, { questions: JSON.stringify(questions, null, 2) })
    : '';
  const content = fillTemplate(DECIDE_USER_TEMPLATE, { context_block: prompt.context, questions_block: block });
  return messagesWith(prompt, content);
}

function messagesWith({ instructions, nonce }: { instructions: string; nonce: string }, content: string): Message[] {
  // The nonce comes last, so that all before it is the same for every question and providers can cache it.
  const system = `${instructions}\n\n${fillTemplate(JUDGE_FENCE_TEMPLATE, { nonce })}`;
  return [
    { role: 'system', content: system },
    { role: 'user', content },
  ];
}
