import { isRecord } from '../../text/json/is-record.ts';
import { traceFromJson } from '../../trace/trace-from.ts';
import type { GivenOutcome, ImportedConversation, ImportFormat } from '../import-format.ts';
import { importedConversation } from '../imported-trace.ts';

/** A conversation or the result of an SDK in any form that an agent may return: chat messages, Responses items, content blocks. */
export const conversationFormat: ImportFormat = {
  name: 'conversation',
  title: 'conversations',
  unit: 'record',
  recognises: (value) => isRecord(value) || Array.isArray(value),
  *read(records) {
    for (const { value, line } of records) {
      const trace = traceFromJson(value);
      yield importedConversation({ line, trace, ...(isRecord(value) && besideMessages(value)) });
    }
  },
};

/** Where records have their messages, and what the trace has of them. */
const IN_TRACE: ReadonlySet<string> = new Set([
  ...['messages', 'contents', 'events', 'steps', 'choices', 'output', 'input', 'response', 'responseMessages', 'trace'],
  ...['candidates', 'observations', 'inputs', 'outputs', 'state', 'history', 'lastMessage', 'task', 'content', 'parts'],
  ...['model', 'modelVersion', 'usage', 'totalUsage', 'usageMetadata', 'usage_metadata', 'timestamp', 'role'],
  ...['final_content', 'finish_reason', 'stop_reason', 'finishReason', 'stopReason', 'latency_seconds'],
  ...['input_tokens', 'output_tokens', 'cost_usd', 'total_cost_usd', 'tool_calls'],
]);
const IDS = ['id', 'conversation_id', 'session_id', 'trace_id', 'thread_id'] as const;
const NAMED = new Set<string>([...IDS, 'suite', 'case', 'trial', 'passed', 'reward', 'scores']);

function besideMessages(value: Record<string, unknown>): Partial<ImportedConversation> {
  const beside = Object.entries(value).filter(([name]) => !IN_TRACE.has(name));
  const id = IDS.map((name) => value[name]).find(isName);
  return {
    id: id === undefined ? null : String(id),
    suite: isName(value.suite) ? String(value.suite) : null,
    case: isName(value.case) ? String(value.case) : null,
    trial: typeof value.trial === 'number' ? value.trial : null,
    given: givenBy(value),
    fields: Object.fromEntries(beside),
    aside: Object.fromEntries(beside.filter(([name]) => !NAMED.has(name))),
  };
}

function isName(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function givenBy({ passed, reward, scores }: Record<string, unknown>): GivenOutcome | null {
  if (typeof passed !== 'boolean' && typeof reward !== 'number') return null;
  const further = isRecord(scores) ? Object.entries(scores) : [];
  return {
    passed: typeof passed === 'boolean' ? passed : null,
    reward: typeof reward === 'number' ? reward : null,
    scores: Object.fromEntries(
      further.filter((entry): entry is [string, number | boolean | string] => isScore(entry[1])),
    ),
  };
}

function isScore(value: unknown): value is number | boolean | string {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string';
}
