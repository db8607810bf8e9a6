import { safeLine } from '../text/output/safe-text.ts';
import type { Message } from '../trace/message.ts';
import type { Trace } from '../trace/trace.ts';

const FIRST_LINES = 3;
const LAST_LINES = 6;
const LONGEST = 110;

/** A conversation in a few lines, for a message about a failed test. */
export function briefConversation({ messages }: Trace): string[] {
  const lines = messages.flatMap(messageLines).map((line) => safeLine(line, LONGEST));
  if (lines.length <= FIRST_LINES + LAST_LINES + 1) return lines;
  const left = lines.length - FIRST_LINES - LAST_LINES;
  return [...lines.slice(0, FIRST_LINES), `… ${left} more lines`, ...lines.slice(-LAST_LINES)];
}

/** A system prompt is long, and the same in all trials. */
function messageLines(message: Message): string[] {
  if (message.role === 'system') return [];
  if (message.role === 'user') return [`user: ${message.content}`];
  if (message.role === 'tool_result') {
    return [`${message.name} ${message.is_error ? 'failed' : 'answered'}: ${message.content}`];
  }
  const said = message.content === null || message.content === '' ? [] : [`agent: ${message.content}`];
  const calls = message.tool_calls.map(
    ({ name, arguments: args, raw_arguments: raw }) => `agent calls ${name} ${raw ?? JSON.stringify(args)}`,
  );
  return [...said, ...calls];
}
