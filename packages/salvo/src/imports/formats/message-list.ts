import { isRecord } from '../../text/json/is-record.ts';
import { isAdkEvent } from '../../trace/forms/adk-event.ts';
import { isClaudeMessage } from '../../trace/forms/claude-agent.ts';
import { FormError } from '../../trace/forms/form-error.ts';
import { isLangChainMessage } from '../../trace/forms/langchain-message.ts';
import { isPydanticMessage } from '../../trace/forms/pydantic-message.ts';
import { isResponsesItem } from '../../trace/forms/responses-items.ts';
import type { ImportFormat } from '../import-format.ts';
import { importedConversation } from '../imported-trace.ts';
import { traceOf } from './conversation.ts';
import { plainFacts } from './plain-facts.ts';
import { placeAt } from './read-each.ts';
import { fieldsWithout, textOf } from './record-fields.ts';

type Fields = Record<string, unknown>;

const CONVERSATIONS = ['conversation_id', 'conversationId', 'thread_id', 'threadId', 'session_id', 'sessionId'];
const MESSAGE: ReadonlySet<string> = new Set([
  'role',
  'content',
  'parts',
  'tool_calls',
  'type',
  'message',
  'id',
  'uuid',
]);

/** A message in each record, with the id of the conversation to which it belongs. */
export const messageListFormat: ImportFormat = {
  name: 'message-list',
  title: 'messages with the id of their conversation',
  unit: 'parts',
  recognises: (value) =>
    isRecord(value) && !('messages' in value) && textOf(value, ...CONVERSATIONS) !== null && isMessage(value),
  *partsOf(record) {
    const { value } = record;
    yield { key: (isRecord(value) ? textOf(value, ...CONVERSATIONS) : null) ?? '', part: record };
  },
  *read(records) {
    const [first] = records;
    if (!first) throw new FormError('it', 'has no messages');
    const at = placeAt(first.line);
    const about = isRecord(first.value) ? fieldsWithout(first.value, MESSAGE) : {};
    const { timestamp, ...facts } = plainFacts(about, first.line, at.losses);
    const reply = records.map(({ value }) => value);
    const trace = traceOf(reply, at, timestamp);
    yield importedConversation({ line: first.line, ...facts, trace, fields: about, losses: at.losses });
  },
};

const ROLES: ReadonlySet<unknown> = new Set([
  ...['system', 'developer', 'user', 'assistant', 'model', 'tool', 'tool_result', 'function'],
]);

function isMessage(value: Fields): boolean {
  if (ROLES.has(value.role) && ['content', 'parts', 'tool_calls', 'function_call'].some((name) => name in value))
    return true;
  return [isLangChainMessage, isPydanticMessage, isAdkEvent, isClaudeMessage, isResponsesItem].some((is) => is(value));
}
