import { isRecord } from '../../text/json/is-record.ts';
import { milliseconds } from './recorded/recorded-step.ts';

/**
 * How long the agent worked, as the times of its messages tell: what passed before each message that is not the user's.
 * What the user took is not counted. Null if a message has no time.
 */
export function conversationSeconds(messages: unknown): number | null {
  if (!Array.isArray(messages) || messages.length < 2) return null;
  let before: number | null = null;
  let total = 0;
  for (const message of messages) {
    const time = timeOf(message);
    if (time === null || (before !== null && time < before)) return null;
    if (before !== null && !isOfUser(message)) total += time - before;
    before = time;
  }
  return total / 1000;
}

function timeOf(message: unknown): number | null {
  return isRecord(message) && typeof message.timestamp === 'string' ? milliseconds(message.timestamp) : null;
}

/** A result that a tool gave is sent as a message of the user by some SDKs. */
function isOfUser(message: unknown): boolean {
  if (!isRecord(message)) return false;
  const { content } = isRecord(message.message) ? message.message : message;
  const isResult = (part: unknown): boolean => isRecord(part) && part.type === 'tool_result';
  if (Array.isArray(content) && content.some(isResult)) return false;
  return (message.role ?? message.type) === 'user';
}
