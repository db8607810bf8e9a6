import { isRecord } from '../../text/json/is-record.ts';
import { type TraceInput, traceFrom } from '../../trace/trace-from.ts';
import type { ImportFormat } from '../import-format.ts';
import { importedConversation } from '../imported-trace.ts';

/** A conversation or the result of an SDK in any form that an agent may return: chat messages, Responses items, content blocks. */
export const conversationFormat: ImportFormat = {
  name: 'conversation',
  title: 'conversations',
  unit: 'record',
  recognises: (value) => isRecord(value) || Array.isArray(value),
  *read(records) {
    for (const { value, line } of records) {
      const fields = isRecord(value) ? value : {};
      yield importedConversation({ line, trace: traceFrom(value as TraceInput), fields });
    }
  },
};
