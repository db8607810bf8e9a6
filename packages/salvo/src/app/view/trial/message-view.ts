import type { Store } from '../../../store/store.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import { callMark } from '../../../trace/call-mark.ts';
import type { Message, ToolCall } from '../../../trace/message.ts';
import { stepsOf, type TraceStep } from '../../../trace/steps-of.ts';
import type { Trace } from '../../../trace/trace.ts';
import { type EmbedFile, type FileView, filesOf, fileView } from './file-view.ts';
import { prettyJson } from './pretty-json.ts';
import { existingTrace } from './trial-view.ts';

/** A message as it is shown. In a page of messages, long texts are shortened. */
export interface MessageView {
  /** Its position in the trace, from 0. */
  index: number;
  role: Message['role'];
  /** The turn of the agent that it belongs to, from 1; 0 before the first, and for answers that the scenario gives. */
  turn: number;
  content: ShownText | null;
  files: FileView[];
  reasoning: ShownText | null;
  tool_calls: { id: string; name: string; arguments: ShownText; error: string | null; mark: string | null }[];
  /** Which agent wrote it, and what its step took; null if unknown, and for messages of others. */
  agent: string | null;
  step: Omit<TraceStep, 'turn' | 'agent'> | null;
  /** A simulated user wrote it. */
  simulated: boolean;
  /** Of a tool's result. */
  tool: { call_id: string; name: string; is_error: boolean } | null;
}

interface ShownText {
  text: string;
  /** Of the whole text, if it is longer. */
  full_length: number;
}

const LONGEST_TEXT = 20_000;

/** `embed` is for an HTML file, which has to contain the images that it shows. */
export async function messagePage(
  store: Store,
  traceId: string,
  { offset, limit, embed }: { offset: number; limit: number; embed?: EmbedFile | undefined },
) {
  const trace = await existingTrace(store, traceId);
  const shown = numbered(trace).slice(offset, offset + limit);
  const steps = stepsOf(trace);
  return {
    total: trace.messages.length,
    messages: shown.map((each) => messageView(each, { trace, steps, longest: LONGEST_TEXT, embed })),
  };
}

/** One message with its whole texts. */
export async function wholeMessage(store: Store, traceId: string, index: number): Promise<MessageView> {
  const trace = await existingTrace(store, traceId);
  const message = numbered(trace)[index];
  if (!message) throw new SalvoError('MESSAGE_UNKNOWN', `Trace ${traceId} has no message ${index}.`);
  return messageView(message, { trace, steps: stepsOf(trace), longest: Number.POSITIVE_INFINITY });
}

function numbered({ messages, turn_count }: Trace) {
  const answers = messages.filter(({ role }) => role === 'assistant').length;
  // Answers beyond the turns of the trial were given by the scenario, as the beginning of the conversation.
  let turn = Math.min(0, turn_count - answers);
  return messages.map((message, index) => {
    if (message.role === 'assistant') turn += 1;
    return { message, index, turn: Math.max(0, turn) };
  });
}

interface Shown {
  trace: Trace;
  steps: readonly TraceStep[];
  longest: number;
  embed?: EmbedFile | undefined;
}

function messageView(
  { message, index, turn }: ReturnType<typeof numbered>[number],
  { trace, steps, longest, embed }: Shown,
): MessageView {
  const shown = (text: string): ShownText => ({ text: text.slice(0, longest), full_length: text.length });
  const content = message.content === null ? null : shown(message.content);
  const files = filesOf(message).map((file) => fileView(file, embed));
  const simulated = message.role === 'user' && message.simulated === true;
  const common = {
    index,
    role: message.role,
    turn,
    content,
    files,
    simulated,
    reasoning: null,
    agent: null,
    step: null,
  };
  if (message.role === 'tool_result') {
    const { tool_call_id: call_id, name, is_error } = message;
    return { ...common, tool_calls: [], tool: { call_id, name, is_error } };
  }
  if (message.role !== 'assistant') return { ...common, tool_calls: [], tool: null };
  return {
    ...common,
    reasoning: message.reasoning === undefined ? null : shown(message.reasoning),
    agent: message.agent ?? null,
    step: steps[turn - 1] ?? null,
    tool_calls: message.tool_calls.map((call) => ({
      id: call.id,
      name: call.name,
      arguments: shown(argumentsText(call)),
      error: errorOf(call, turn, trace),
      mark: callMark(trace, { id: call.id, turn }),
    })),
    tool: null,
  };
}

/** Why the call was answered with an error. */
function errorOf({ id }: ToolCall, turn: number, { tool_errors }: Trace): string | null {
  return tool_errors.find(({ tool_call_id, turn: at }) => tool_call_id === id && at === turn)?.message ?? null;
}

function argumentsText({ arguments: given, raw_arguments }: ToolCall): string {
  return raw_arguments ?? prettyJson(given);
}
