import { isRecord } from '../../text/json/is-record.ts';
import { Conversation } from '../../trace/forms/conversation.ts';
import { FormError } from '../../trace/forms/form-error.ts';
import { readMessage } from '../../trace/forms/read-messages.ts';
import type { ImportedConversation, ImportFormat } from '../import-format.ts';
import { importedConversation, importedTrace } from '../imported-trace.ts';
import { eachObject, placeAt, readEachMessage } from './read-each.ts';
import { amountOf, fieldsWithout, isoTimeOf, recordIn, textOf } from './record-fields.ts';

type Fields = Record<string, unknown>;

/** What AgentDojo writes for each task of a user, with and without an attack. */
export const agentDojoFormat: ImportFormat = {
  name: 'agentdojo',
  title: 'AgentDojo runs',
  unit: 'record',
  recognises: (value) =>
    isRecord(value) && Array.isArray(value.messages) && 'user_task_id' in value && 'suite_name' in value,
  *read(records) {
    for (const { value, line } of eachObject(records, 'is not a run of AgentDojo, which is an object')) {
      yield readRun(value, line);
    }
  },
};

const MESSAGES: ReadonlySet<string> = new Set(['messages']);
const KNOWN: ReadonlySet<string> = new Set([
  ...MESSAGES,
  ...['suite_name', 'pipeline_name', 'user_task_id', 'injection_task_id', 'attack_type', 'injections', 'error'],
  ...['utility', 'security', 'duration', 'evaluation_timestamp', 'benchmark_version', 'agentdojo_package_version'],
]);

function readRun(run: Fields, line: number): ImportedConversation {
  if (!Array.isArray(run.messages)) throw new FormError('messages:', 'expected the list of messages');
  const at = placeAt(line);
  const conversation = new Conversation('call');
  readEachMessage(run.messages, conversation, { at, name: 'messages', read: readDojoMessage });
  const { utility, security } = run;
  const scores = {
    ...(typeof utility === 'boolean' ? { utility } : {}),
    ...(typeof security === 'boolean' ? { security } : {}),
  };
  const task = textOf(run, 'user_task_id');
  const suite = textOf(run, 'suite_name');
  const name = task === null ? null : caseName(task, run);
  return importedConversation({
    line,
    id: name === null ? null : [textOf(run, 'pipeline_name'), suite, name].filter((part) => part !== null).join('/'),
    trace: importedTrace(conversation, {
      model: textOf(run, 'pipeline_name'),
      latency_seconds: amountOf(run.duration),
      timestamp: isoTimeOf(dashed(run.evaluation_timestamp)),
      error: textOf(run, 'error'),
    }),
    suite,
    case: name,
    given:
      Object.keys(scores).length === 0
        ? null
        : { passed: typeof utility === 'boolean' ? utility : null, reward: null, scores },
    fields: fieldsWithout(run, MESSAGES),
    aside: fieldsWithout(run, KNOWN),
    losses: at.losses,
  });
}

function caseName(task: string, run: Fields): string {
  const injection = textOf(run, 'injection_task_id');
  const attack = textOf(run, 'attack_type');
  return `${task}${injection === null ? '' : ` with ${injection}`}${attack === null ? '' : ` (${attack})`}`;
}

/** The time is written as "2024-11-05 17:02:33". */
function dashed(time: unknown): unknown {
  return typeof time === 'string' ? time.trim().replace(' ', 'T') : time;
}

/** A message with its content as text or as parts that have `content` where others have `text`. */
function readDojoMessage(message: unknown, into: Conversation, place: string): void {
  if (!isRecord(message)) {
    readMessage(message, into, place);
    return;
  }
  const { content, tool_calls, tool_call } = message;
  const called = isRecord(tool_call) ? tool_call : {};
  readMessage(
    {
      ...message,
      content: Array.isArray(content) ? content.map(plainPart) : content,
      ...(Array.isArray(tool_calls) ? { tool_calls: tool_calls.map(plainCall) } : {}),
      ...(message.role === 'tool'
        ? { tool_call_id: textOf(message, 'tool_call_id') ?? textOf(called, 'id'), name: textOf(called, 'function') }
        : {}),
    },
    into,
    place,
  );
}

function plainPart(part: unknown): unknown {
  if (!isRecord(part) || typeof part.content !== 'string') return part;
  if (part.type === 'text') return { type: 'text', text: part.content };
  return part.type === 'thinking' ? { type: 'thinking', thinking: part.content } : part;
}

function plainCall(call: unknown): unknown {
  if (!isRecord(call) || typeof call.function !== 'string') return call;
  return { id: textOf(call, 'id'), name: call.function, arguments: recordIn(call, 'args') };
}
