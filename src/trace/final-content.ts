import type { Message } from './message.ts';

/**
 * The final answer of a conversation: what the agent's last message says, also if the user or a tool has the last word.
 * Null if that message only calls tools: an older text would be the answer to another question.
 */
export function finalContent(messages: readonly Message[]): string | null {
  const last = messages.findLast(({ role }) => role === 'assistant');
  return last?.content ?? null;
}
