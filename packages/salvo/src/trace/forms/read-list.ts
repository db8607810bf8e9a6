import { isRecord } from '../../text/json/is-record.ts';
import type { ClaudeResult } from './claude-agent.ts';
import type { Conversation } from './conversation.ts';
import { FormError } from './form-error.ts';
import { readModelResponse } from './model-response.ts';
import { readPlainMessage } from './plain-message.ts';
import { readMessage } from './read-messages.ts';

/**
 * Reads a list of messages, in which whole responses of a model stand for their messages: an agent with a loop of its own
 * has both. Returns what the list says about all of them, if anything.
 */
export function readList(list: unknown, into: Conversation, place: string): ClaudeResult | undefined {
  if (!Array.isArray(list)) throw new FormError(`${place}:`, 'Invalid input: expected array');
  let result: ClaudeResult | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const entry: unknown = list[index];
    const isRead = isRecord(entry) && (readPlainMessage(entry, into) || readModelResponse(entry, into));
    if (!isRead) result = readMessage(entry, into, `${place}[${index}]`) ?? result;
  }
  return result;
}
