import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { mediaName } from '../files/media-type.ts';
import { AI_SDK_PARTS } from './ai-sdk-parts.ts';
import { ANTHROPIC_BLOCKS } from './anthropic-blocks.ts';
import { bedrockBlock } from './bedrock-blocks.ts';
import { FormError, readAs, unknownType } from './form-error.ts';
import { fileReader, mediaReader } from './media.ts';
import { callReader, type PartReader, type PartSink } from './part-sink.ts';
import { toolOutput, toolOutputText } from './tool-output.ts';

/**
 * The parts that a message's `content` can have, in all forms that have one. Their types mean the same wherever they
 * occur, so a message with parts of two forms is read, too.
 */
const PARTS: ReadonlyMap<string, PartReader> = new Map<string, PartReader>([
  ...openAiParts(),
  ...ANTHROPIC_BLOCKS,
  ...AI_SDK_PARTS,
  ...langChainBlocks(),
  ['reasoning', readReasoning],
]);

/** Reads the `content` of a message: text, nothing, or a list of parts. */
export function readContent(content: unknown, sink: PartSink, place: string): void {
  if (content === null || content === undefined) return;
  if (typeof content === 'string') {
    sink.text(content, place);
    return;
  }
  if (!Array.isArray(content)) throw new FormError(`${place}:`, 'expected a text, null or a list of content parts');
  for (const [index, part] of content.entries()) {
    const at = `${place}[${index}]`;
    if (typeof part === 'string') sink.text(part, at);
    else readPart(part, sink, at);
  }
}

export function readPart(part: unknown, sink: PartSink, place: string): void {
  if (!isRecord(part)) throw new FormError(`${place}:`, 'expected a content part with a "type"');
  const read = typeof part.type === 'string' ? PARTS.get(part.type) : bedrockBlock(part);
  if (!read) throw unknownType(place, part.type, PARTS.keys());
  read(part, sink, place);
}

/** Whether a list has the results of tools as its parts, each with the id of its call. */
export function hasToolResults(content: unknown): content is unknown[] {
  const types = ['tool-result', 'tool-error', 'tool-approval-response', 'tool_result'];
  return (
    Array.isArray(content) &&
    content.some((part) => isRecord(part) && typeof part.type === 'string' && types.includes(part.type))
  );
}

const reasoningSchema = z.object({
  text: z.string().nullish(),
  reasoning: z.string().nullish(),
  content: z.unknown().optional(),
  summary: z.unknown().optional(),
});

/** Reasoning of the AI SDK (`text`), LangChain (`reasoning`) or OpenAI (`summary`, `content`). */
export function readReasoning(part: Record<string, unknown>, sink: PartSink, place: string): void {
  const { text, reasoning, content, summary } = readAs(reasoningSchema, part, place);
  for (const said of [text, reasoning, textsOf(content), textsOf(summary)]) {
    if (said) sink.reasoning(said, place);
  }
}

function textsOf(value: unknown): string {
  if (!Array.isArray(value)) return toolOutputText(value);
  return value
    .map((entry) => (isRecord(entry) && typeof entry.text === 'string' ? entry.text : toolOutputText(entry)))
    .join('\n');
}

const langChainResultSchema = z.object({
  tool_call_id: z.string().nullish(),
  toolCallId: z.string().nullish(),
  status: z.string().nullish(),
  output: z.unknown().optional(),
});

function langChainBlocks(): [string, PartReader][] {
  return [
    ['tool_call', callReader('args')],
    ['server_tool_call', callReader('args')],
    [
      'server_tool_call_result',
      (block, sink, place) => {
        const { tool_call_id, toolCallId, status, output } = readAs(langChainResultSchema, block, place);
        sink.result({ id: tool_call_id ?? toolCallId, ...toolOutput(output), is_error: status === 'error' });
      },
    ],
    // Pieces of calls are in messages that were not streamed to their end: the whole calls are in `tool_calls`.
    ...['tool_call_chunk', 'server_tool_call_chunk'].map((type): [string, PartReader] => [type, () => {}]),
    [
      'invalid_tool_call',
      ({ id, name, args }, sink, place) => {
        const call = readAs(z.object({ id: z.string().nullish(), name: z.string().nullish() }), { id, name }, place);
        sink.call({ id: call.id, name: call.name || 'unknown', raw_arguments: toolOutputText(args) }, place);
      },
    ],
    ['non_standard', (block, sink, place) => sink.marker(mediaName('non-standard', typeOf(block.value)), place)],
    ['text-plain', mediaReader('file')],
    ['video', mediaReader('video')],
  ];
}

function typeOf(value: unknown): unknown {
  return isRecord(value) ? value.type : undefined;
}

/** The parts of OpenAI's messages: of chat completions, and of Responses. */
function openAiParts(): [string, PartReader][] {
  const textSchema = z.object({ text: z.string() });
  const refusalSchema = z.object({ refusal: z.string() });
  const readText: PartReader = (part, sink, place) => sink.text(readAs(textSchema, part, place).text, place);
  /** A spoken answer comes with its words. */
  const readAudio: PartReader = ({ transcript }, sink, place) =>
    typeof transcript === 'string' ? sink.text(transcript, place) : sink.marker(mediaName('audio'), place);
  return [
    ['text', readText],
    ['input_text', readText],
    ['output_text', readText],
    ['refusal', (part, sink, place) => sink.text(readAs(refusalSchema, part, place).refusal, place)],
    ['image_url', mediaReader('image')],
    ['input_image', mediaReader('image')],
    ['computer_screenshot', mediaReader('image')],
    ['input_audio', mediaReader('audio')],
    ['input_file', mediaReader('file')],
    ['file', fileReader],
    ['audio', readAudio],
    ['output_audio', readAudio],
  ];
}
