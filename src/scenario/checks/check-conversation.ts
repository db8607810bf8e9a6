import { isRecord } from '../../text/is-record.ts';
import type { Report } from '../diagnostics/problem.ts';

/** A scenario has a task: a prompt, or messages that end with something the agent has to answer. */
export function checkConversation(report: Report, { prompt, messages }: Record<string, unknown>): void {
  if (prompt !== undefined && messages !== undefined) {
    report({
      code: 'conflicting-keys',
      message: 'a scenario has either prompt or messages',
      hint: 'write the prompt as the last entry of messages: {role: user, content: ...}',
      path: ['prompt'],
      at: 'key',
    });
  }
  if (prompt === undefined && messages === undefined) {
    report({
      code: 'missing-key',
      message: 'the scenario has no task: "prompt" or "messages" is missing',
      path: [],
      missing: ['prompt', 'messages'],
    });
  }
  if (!Array.isArray(messages) || messages.length === 0) return;
  const last: unknown = messages.at(-1);
  if (!isRecord(last) || (last.role !== 'assistant' && last.role !== 'tool_result')) return;
  report({
    code: 'invalid-value',
    message: messages.some((message) => isRecord(message) && message.role === 'user')
      ? 'the last message has to be a user message: it is what the agent answers'
      : 'there is no user message for the agent to answer',
    path: ['messages', messages.length - 1],
  });
}
