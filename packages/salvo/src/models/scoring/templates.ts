import { dataFile } from '../../text/modules/data-file.ts';
import type { Message } from '../../trace/message.ts';
import { fillTemplate } from '../ask/prompts.ts';

/** The question of a judge, with `{context_block}` for the material. */
export const JUDGE_USER_TEMPLATE = dataFile(import.meta.url, './templates/judge-user.md').trim();

/** Explains the fences around the material, with `{nonce}`. Added to whatever instructions there are. */
export const JUDGE_FENCE_TEMPLATE = dataFile(import.meta.url, './templates/judge-fence.md').trim();

/** The messages to any judge. `context` is the material, in fences with the nonce. */
export function messagesToJudge(prompt: { instructions: string; context: string; nonce: string }): Message[] {
  const { instructions, context, nonce } = prompt;
  // The nonce comes last, so that all before it is the same for every question and providers can cache it.
  const system = `${instructions}\n\n${fillTemplate(JUDGE_FENCE_TEMPLATE, { nonce })}`;
  return [
    { role: 'system', content: system },
    { role: 'user', content: fillTemplate(JUDGE_USER_TEMPLATE, { context_block: context }) },
  ];
}
