import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { readAssistantMessage, readChatMessage } from './chat-message.ts';
import { readReasoning } from './content.ts';
import type { Conversation } from './conversation.ts';
import { readAs } from './form-error.ts';
import { assistantSink } from './part-sink.ts';
import { toolErrorText, toolOutputText } from './tool-output.ts';

/** Responses has `call_id`, the Agents SDK `callId`. */
const callSchema = z.object({
  id: z.string().nullish(),
  call_id: z.string().nullish(),
  callId: z.string().nullish(),
  name: z.string().nullish(),
  arguments: z.unknown().optional(),
  input: z.unknown().optional(),
  action: z.unknown().optional(),
  operation: z.unknown().optional(),
  queries: z.unknown().optional(),
  code: z.unknown().optional(),
  output: z.unknown().optional(),
  outputs: z.unknown().optional(),
  results: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
  status: z.string().nullish(),
});

type Call = z.infer<typeof callSchema>;
type ItemReader = (item: Record<string, unknown>, into: Conversation, place: string) => void;

/** A call that the agent, or Salvo, answers with an item of its own. */
const opensCall =
  (tool: string | null, argumentsOf: (call: Call) => unknown): ItemReader =>
  (item, into, place) => {
    const call = readAs(tool === null ? callSchema.extend({ name: z.string().min(1) }) : callSchema, item, place);
    into.item(() => into.call({ id: idOf(call), name: call.name ?? tool ?? '', arguments: argumentsOf(call) }));
  };

const answersCall: ItemReader = (item, into, place) => {
  const call = readAs(callSchema, item, place);
  const is_error = call.status === 'failed' || call.status === 'incomplete';
  into.item(() => into.result({ id: idOf(call), name: call.name, content: toolOutputText(call.output), is_error }));
};

/** A call that the provider ran itself: its item has the result, too. */
const hostedCall =
  (tool: string, argumentsOf: (call: Call) => unknown, outputOf: (call: Call) => unknown): ItemReader =>
  (item, into, place) => {
    const call = readAs(callSchema, item, place);
    const name = call.name ?? tool;
    const failed = call.error != null;
    const content = failed ? toolErrorText(call.error) : toolOutputText(outputOf(call) ?? call.status);
    into.item(() => {
      into.call({ id: idOf(call), name, arguments: argumentsOf(call) });
      into.result({ id: idOf(call), name, content, is_error: failed || call.status === 'failed' });
    });
  };

/** Lists of tools and questions for approval: the calls themselves are items of their own. */
const withoutContent: ItemReader = () => {};

const unwrap: ItemReader = (item, into, place) => {
  const raw = readAs(z.looseObject({}), item.rawItem ?? item.raw_item, `${place}.rawItem`);
  readResponsesItem(raw, into, `${place}.rawItem`);
};

const asObject = (value: unknown): unknown => (isRecord(value) ? value : { input: value });

const ITEMS: ReadonlyMap<string, ItemReader> = new Map<string, ItemReader>([
  ['message', readMessage],
  ['reasoning', (item, into, place) => into.item(() => readReasoning(item, assistantSink(into), place))],
  ['compaction', (_, into) => into.item(() => into.think('[compaction]'))],
  ['function_call', opensCall(null, (call) => call.arguments)],
  ['function_call_output', answersCall],
  ['function_call_result', answersCall],
  ['custom_tool_call', opensCall(null, (call) => ({ input: call.input }))],
  ['custom_tool_call_output', answersCall],
  ['computer_call', opensCall('computer', (call) => asObject(call.action))],
  ['computer_call_output', answersCall],
  ['computer_call_result', answersCall],
  ['local_shell_call', opensCall('local_shell', (call) => asObject(call.action))],
  ['local_shell_call_output', answersCall],
  ['shell_call', opensCall('shell', (call) => asObject(call.action))],
  ['shell_call_output', answersCall],
  ['apply_patch_call', opensCall('apply_patch', (call) => asObject(call.operation))],
  ['apply_patch_call_output', answersCall],
  [
    'web_search_call',
    hostedCall(
      'web_search',
      (call) => asObject(call.action ?? {}),
      () => undefined,
    ),
  ],
  [
    'file_search_call',
    hostedCall(
      'file_search',
      ({ queries }) => ({ queries }),
      (call) => call.results,
    ),
  ],
  [
    'code_interpreter_call',
    hostedCall(
      'code_interpreter',
      ({ code }) => ({ code }),
      (call) => call.outputs,
    ),
  ],
  [
    'image_generation_call',
    hostedCall(
      'image_generation',
      () => ({}),
      (call) => (call.result ? '[image]' : undefined),
    ),
  ],
  [
    'mcp_call',
    hostedCall(
      'mcp',
      (call) => call.arguments,
      (call) => call.output,
    ),
  ],
  [
    'hosted_tool_call',
    hostedCall(
      'hosted_tool',
      (call) => call.arguments,
      (call) => call.output,
    ),
  ],
  ['mcp_list_tools', withoutContent],
  ['mcp_approval_request', withoutContent],
  ['mcp_approval_response', withoutContent],
  ['message_output_item', unwrap],
  ['reasoning_item', unwrap],
  ['tool_call_item', unwrap],
  ['tool_call_output_item', unwrap],
  ['handoff_call_item', unwrap],
  ['handoff_output_item', unwrap],
]);

export const RESPONSES_ITEM_TYPES: readonly string[] = [...ITEMS.keys()];

export function isResponsesItem(message: Record<string, unknown>): boolean {
  return typeof message.type === 'string' && ITEMS.has(message.type);
}

/** An item of OpenAI's Responses, or of its Agents SDK. Items in a row that are the model's belong to one answer. */
export function readResponsesItem(item: Record<string, unknown>, into: Conversation, place: string): void {
  const read = typeof item.type === 'string' ? ITEMS.get(item.type) : undefined;
  if (read) read(item, into, place);
  else readChatMessage(item, into, place);
}

function readMessage(item: Record<string, unknown>, into: Conversation, place: string): void {
  if (item.role === 'assistant') into.item(() => readAssistantMessage({ ...item, usage: undefined }, into, place));
  else readChatMessage(item, into, place);
}

function idOf({ call_id, callId, id }: Call): string | null | undefined {
  return call_id ?? callId ?? id;
}
