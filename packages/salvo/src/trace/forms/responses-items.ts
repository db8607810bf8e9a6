import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { mediaName } from '../files/media-type.ts';
import { mediumFile } from '../files/medium-file.ts';
import { readAssistantMessage, readChatMessage } from './chat-message.ts';
import { readReasoning } from './content.ts';
import type { Conversation } from './conversation.ts';
import { readAs } from './form-error.ts';
import { assistantSink } from './part-sink.ts';
import { toolErrorText, toolOutput, toolOutputText } from './tool-output.ts';

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

const namedCallSchema = callSchema.extend({ name: z.string().min(1) });

type Call = z.infer<typeof callSchema>;
type ItemReader = (item: Record<string, unknown>, into: Conversation, place: string) => void;

/** How an item says what was called: the tool if it has no `name`, with which arguments, and the result if it has one. */
interface CallKind {
  tool?: string;
  arguments: (call: Call) => unknown;
  /** For a call that the provider ran itself. Any other is answered with an item of its own. */
  output?: (call: Call) => unknown;
}

const readCall =
  ({ tool, output, ...kind }: CallKind): ItemReader =>
  (item, into, place) => {
    const call = readAs(tool === undefined ? namedCallSchema : callSchema, item, place);
    const named = { id: idOf(call), name: call.name ?? tool ?? '' };
    into.item(() => {
      into.call({ ...named, arguments: kind.arguments(call) });
      if (!output) return;
      const failed = call.error != null;
      const content = failed ? toolErrorText(call.error) : toolOutputText(output(call) ?? call.status);
      const image = tool === 'image_generation' ? mediumFile({ data: call.result }, { type: 'image/png' }) : undefined;
      into.result({
        ...named,
        content,
        ...(image && { files: [image] }),
        is_error: failed || call.status === 'failed',
      });
    });
  };

/** What a program of the model gave is in `result`, and the tools that a search found are in `tools`. */
const answersOwnCall: ItemReader = (item, into, place) =>
  answersCall({ ...item, output: item.output ?? item.result ?? item.tools }, into, place);

/** Content that the SDK itself does not know: it is named, as it may matter. */
const unknownItem: ItemReader = (item, into) =>
  into.item(() =>
    into.show(mediaName('unknown item', isRecord(item.providerData) ? item.providerData.type : undefined)),
  );

const answersCall: ItemReader = (item, into, place) => {
  const call = readAs(callSchema, item, place);
  const is_error = call.status === 'failed' || call.status === 'incomplete';
  into.item(() => into.result({ id: idOf(call), name: call.name, ...toolOutput(call.output), is_error }));
};

/** Lists of tools, settings and questions for approval: the calls themselves are items of their own. */
const withoutContent: ItemReader = () => {};

const unwrap: ItemReader = (item, into, place) => {
  const raw = readAs(z.looseObject({}), item.rawItem ?? item.raw_item, `${place}.rawItem`);
  readResponsesItem(raw, into, `${place}.rawItem`);
};

const asObject = (value: unknown): unknown => (isRecord(value) ? value : { input: value });

const imageOf = ({ result }: Call): unknown => (result ? '[image]' : undefined);

const CALLS: Record<string, CallKind> = {
  function_call: { arguments: (call) => call.arguments },
  custom_tool_call: { arguments: (call) => ({ input: call.input }) },
  computer_call: { tool: 'computer', arguments: (call) => asObject(call.action) },
  local_shell_call: { tool: 'local_shell', arguments: (call) => asObject(call.action) },
  shell_call: { tool: 'shell', arguments: (call) => asObject(call.action) },
  apply_patch_call: { tool: 'apply_patch', arguments: (call) => asObject(call.operation) },
  web_search_call: { tool: 'web_search', arguments: (call) => asObject(call.action ?? {}), output: () => undefined },
  file_search_call: { tool: 'file_search', arguments: ({ queries }) => ({ queries }), output: (call) => call.results },
  code_interpreter_call: {
    tool: 'code_interpreter',
    arguments: ({ code }) => ({ code }),
    output: (call) => call.outputs,
  },
  image_generation_call: { tool: 'image_generation', arguments: () => ({}), output: imageOf },
  mcp_call: { tool: 'mcp', arguments: (call) => call.arguments, output: (call) => call.output },
  tool_search_call: { tool: 'tool_search', arguments: (call) => asObject(call.arguments ?? {}) },
  program: { tool: 'program', arguments: ({ code }) => ({ code }) },
  hosted_tool_call: { tool: 'hosted_tool', arguments: (call) => call.arguments, output: (call) => call.output },
};

const eachOf = (types: string[], read: ItemReader): [string, ItemReader][] => types.map((type) => [type, read]);

const ITEMS: ReadonlyMap<string, ItemReader> = new Map<string, ItemReader>([
  ['message', readMessage],
  ['reasoning', (item, into, place) => into.item(() => readReasoning(item, assistantSink(into), place))],
  ['compaction', (_, into) => into.item(() => into.think('[compaction]'))],
  ...Object.entries(CALLS).map(([type, kind]): [string, ItemReader] => [type, readCall(kind)]),
  ...eachOf(['function_call_output', 'function_call_result', 'custom_tool_call_output'], answersCall),
  ...eachOf(['computer_call_output', 'computer_call_result'], answersCall),
  ...eachOf(['local_shell_call_output', 'shell_call_output', 'apply_patch_call_output'], answersCall),
  ...eachOf(['tool_search_output', 'program_output'], answersOwnCall),
  ['unknown', unknownItem],
  ...eachOf(['mcp_list_tools', 'mcp_approval_request', 'mcp_approval_response'], withoutContent),
  ...eachOf(['additional_tools', 'configuration_update', 'compaction_trigger'], withoutContent),
  ['tool_approval_item', withoutContent],
  ...eachOf(['message_output_item', 'reasoning_item', 'tool_call_item', 'tool_call_output_item'], unwrap),
  ...eachOf(['handoff_call_item', 'handoff_output_item', 'input_item', 'compaction_item'], unwrap),
  ...eachOf(['tool_search_call_item', 'tool_search_output_item'], unwrap),
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
