import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { mediaName } from '../files/media-type.ts';
import { readAs, unknownType } from './form-error.ts';
import { fileReader } from './media.ts';
import type { PartReader, PartSink } from './part-sink.ts';
import { toolErrorText, toolOutput } from './tool-output.ts';

/** Version 4 has `args` and `result`, later ones `input` and `output`. */
const callSchema = z.object({
  toolCallId: z.string().nullish(),
  toolName: z.string().min(1),
  input: z.unknown().optional(),
  args: z.unknown().optional(),
});
const resultSchema = z.object({
  toolCallId: z.string().nullish(),
  toolName: z.string().nullish(),
  output: z.unknown().optional(),
  result: z.unknown().optional(),
  isError: z.boolean().nullish(),
  error: z.unknown().optional(),
});

const readAiSdkCall: PartReader = (part, sink, place) => {
  const { toolCallId, toolName, input, args } = readAs(callSchema, part, place);
  sink.call({ id: toolCallId, name: toolName, arguments: input ?? args }, place);
};

const readAiSdkResult: PartReader = (part, sink, place) => {
  const { toolCallId: id, toolName: name, output, result, isError } = readAs(resultSchema, part, place);
  const read = isTagged(output)
    ? taggedOutput(output, `${place}.output`)
    : { ...toolOutput(output ?? result), is_error: false, refused: false };
  sink.result({ id, name, ...read, is_error: isError ?? read.is_error });
};

type Entries = readonly Record<string, unknown>[] | null | undefined;

/** Calls and results that are beside the text, each in a list. */
export function readAiSdkLists(
  lists: { toolCalls?: Entries; toolResults?: Entries },
  sink: PartSink,
  place: string,
): void {
  for (const [index, call] of (lists.toolCalls ?? []).entries())
    readAiSdkCall(call, sink, `${place}toolCalls[${index}]`);
  for (const [index, result] of (lists.toolResults ?? []).entries()) {
    readAiSdkResult(result, sink, `${place}toolResults[${index}]`);
  }
}

const readToolError: PartReader = (part, sink, place) => {
  const { toolCallId: id, toolName: name, error } = readAs(resultSchema, part, place);
  sink.result({ id, name, content: toolErrorText(error), is_error: true });
};

/** Says whether a call may run. The call and its result are parts of their own, a denial is a result. */
const approval: PartReader = () => {};

/** The parts of the AI SDK's messages, and of the steps of a result of `generateText`. */
export const AI_SDK_PARTS: [string, PartReader][] = [
  ['tool-call', readAiSdkCall],
  ['tool-result', readAiSdkResult],
  ['tool-error', readToolError],
  ['tool-approval-request', approval],
  ['tool-approval-response', approval],
  ['source', (part, sink, place) => sink.marker(mediaName('source', part.url ?? part.title), place)],
  ['custom', (part, sink, place) => sink.marker(mediaName('custom', part.kind), place)],
  ['reasoning-file', (_, sink, place) => sink.reasoning('[file]', place)],
  ['redacted-reasoning', (_, sink, place) => sink.reasoning('[redacted reasoning]', place)],
  ['file', fileReader],
];

const OUTPUT_FIELDS: ReadonlySet<string> = new Set(['type', 'value', 'reason', 'providerOptions']);

/** Whether an output says what it is, as in messages. In the steps of a result it is the tool's own value. */
function isTagged(output: unknown): output is Record<string, unknown> {
  if (!isRecord(output) || typeof output.type !== 'string') return false;
  if (!Object.keys(output).every((field) => OUTPUT_FIELDS.has(field))) return false;
  return 'value' in output || output.type === 'execution-denied';
}

/** The types of an output, and whether the tool failed then. */
const OUTPUT_TYPES: ReadonlyMap<unknown, boolean> = new Map([
  ...['text', 'json', 'content'].map((type) => [type, false] as const),
  ...['error-text', 'error-json', 'execution-denied'].map((type) => [type, true] as const),
]);

function taggedOutput({ type, value, reason }: Record<string, unknown>, place: string) {
  const is_error = OUTPUT_TYPES.get(type);
  if (is_error === undefined) throw unknownType(place, type, [...OUTPUT_TYPES.keys()].map(String));
  if (type !== 'execution-denied') return { ...toolOutput(value), is_error, refused: false };
  const content = typeof reason === 'string' ? reason : 'The tool was not allowed to run.';
  return { content, is_error, refused: true };
}
