import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { readAs, unknownType } from './form-error.ts';
import { fileReader, mediaName } from './media.ts';
import type { PartReader } from './part-sink.ts';
import { toolErrorText, toolOutputText } from './tool-output.ts';

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

export const readAiSdkCall: PartReader = (part, sink, place) => {
  const { toolCallId, toolName, input, args } = readAs(callSchema, part, place);
  sink.call({ id: toolCallId, name: toolName, arguments: input ?? args }, place);
};

export const readAiSdkResult: PartReader = (part, sink, place) => {
  const { toolCallId: id, toolName: name, output, result, isError } = readAs(resultSchema, part, place);
  const read = isTagged(output)
    ? taggedOutput(output, `${place}.output`)
    : { content: toolOutputText(output ?? result), is_error: false, refused: false };
  sink.result({ id, name, content: read.content, is_error: isError ?? read.is_error, refused: read.refused });
};

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

const OUTPUT_TYPES = ['text', 'json', 'content', 'error-text', 'error-json', 'execution-denied'];
const OUTPUT_FIELDS: ReadonlySet<string> = new Set(['type', 'value', 'reason', 'providerOptions']);

/** Whether an output says what it is, as in messages. In the steps of a result it is the tool's own value. */
function isTagged(output: unknown): output is Record<string, unknown> {
  if (!isRecord(output) || typeof output.type !== 'string') return false;
  if (!Object.keys(output).every((field) => OUTPUT_FIELDS.has(field))) return false;
  return 'value' in output || output.type === 'execution-denied';
}

interface TaggedOutput {
  content: string;
  is_error: boolean;
  refused: boolean;
}

function taggedOutput(output: Record<string, unknown>, place: string): TaggedOutput {
  const { type, value, reason } = output;
  switch (type) {
    case 'text':
    case 'json':
    case 'content':
      return { content: toolOutputText(value), is_error: false, refused: false };
    case 'error-text':
    case 'error-json':
      return { content: toolOutputText(value), is_error: true, refused: false };
    case 'execution-denied':
      return {
        content: typeof reason === 'string' ? reason : 'The tool was not allowed to run.',
        is_error: true,
        refused: true,
      };
    default:
      throw unknownType(place, type, OUTPUT_TYPES);
  }
}
