import { type ConversationFacts, foreignTrace } from '../trace/foreign-trace.ts';
import type { Conversation } from '../trace/forms/conversation.ts';
import type { Trace } from '../trace/trace.ts';
import type { ImportedConversation } from './import-format.ts';

/** The trace of a conversation that a reader has written down. What the file says as a whole wins over its messages. */
export function importedTrace(conversation: Conversation, facts: ConversationFacts = {}): Trace {
  return foreignTrace(conversation.messages, {
    ...facts,
    usage: facts.usage ?? conversation.usageAfter(0),
    finish_reason: facts.finish_reason ?? conversation.finishReason,
    model: facts.model ?? conversation.model,
  });
}

/** A conversation of which only the trace is known. */
export function importedConversation(
  known: Pick<ImportedConversation, 'line' | 'trace'> & Partial<ImportedConversation>,
): ImportedConversation {
  return { id: null, suite: null, case: null, trial: null, given: null, fields: {}, aside: {}, losses: [], ...known };
}
