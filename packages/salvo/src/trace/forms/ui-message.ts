import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { mediaKind, mediaName } from '../files/media-type.ts';
import type { Conversation, ReportedResult } from './conversation.ts';
import { FormError, readAs, unknownType } from './form-error.ts';
import { fileReader } from './media.ts';
import { assistantSink, type PartSink, readIntoText } from './part-sink.ts';
import { toolErrorText, toolOutput } from './tool-output.ts';

const partsSchema = z.array(z.looseObject({ type: z.string() }));
const textSchema = z.object({ text: z.string() });
/** Mastra stores the text of its reasoning as `reasoning`. */
const reasoningSchema = z.object({ text: z.string().nullish(), reasoning: z.string().nullish() });
const toolSchema = z.object({
  toolCallId: z.string().nullish(),
  toolName: z.string().nullish(),
  state: z.string(),
  input: z.unknown().optional(),
  rawInput: z.unknown().optional(),
  args: z.unknown().optional(),
  output: z.unknown().optional(),
  result: z.unknown().optional(),
  errorText: z.string().nullish(),
  approval: z.object({ reason: z.string().nullish() }).nullish(),
});

const KNOWN = [
  'text',
  'reasoning',
  'reasoning-file',
  'step-start',
  'file',
  'source-url',
  'source-document',
  'custom',
  'steering-message',
  'dynamic-tool',
  'tool-NAME',
  'data-NAME',
];
const STATES_WITHOUT_RESULT: ReadonlySet<string> = new Set([
  'input-streaming',
  'input-available',
  'approval-requested',
  'approval-responded',
  // Version 4.
  'partial-call',
  'call',
]);

/** A `UIMessage` of the AI SDK: what a page shows. One message can hold several steps with their tool calls. */
export function readUiMessage(message: Record<string, unknown>, into: Conversation, place: string): void {
  const { role } = message;
  const parts = readAs(partsSchema, message.parts, `${place}.parts`);
  if (role === 'user' || role === 'system') {
    readIntoText(into, role, (sink) => {
      for (const [index, part] of parts.entries()) readPart(part, sink, `${place}.parts[${index}]`);
    });
  } else if (role === 'assistant') into.assistant(() => readAnswer(parts, into, `${place}.parts`));
  else throw new FormError(`${place}.role:`, 'expected system, user or assistant');
}

function readAnswer(parts: z.infer<typeof partsSchema>, into: Conversation, place: string): void {
  // The calls of one step come before their results, as the model made them at once.
  const results: ReportedResult[] = [];
  const flush = (): void => {
    for (const result of results.splice(0)) into.result(result);
  };
  const sink = { ...assistantSink(into), result: (result: ReportedResult) => results.push(result) };
  for (const [index, part] of parts.entries()) {
    const at = `${place}[${index}]`;
    const tool = toolOf(part);
    if (tool) readTool(tool, sink, at);
    else {
      flush();
      if (part.type === 'steering-message') readUiMessage({ ...part, role: 'user' }, into, at);
      else readPart(part, sink, at);
    }
  }
  flush();
}

function toolOf(part: Record<string, unknown> & { type: string }): Record<string, unknown> | undefined {
  if (part.type === 'dynamic-tool') return part;
  if (part.type === 'tool-invocation' && isRecord(part.toolInvocation)) return part.toolInvocation;
  return part.type.startsWith('tool-') ? { toolName: part.type.slice('tool-'.length), ...part } : undefined;
}

function readTool(part: Record<string, unknown>, sink: PartSink, place: string): void {
  const tool = readAs(toolSchema, part, place);
  const { toolCallId: id, toolName: name, state, output, result } = tool;
  if (!name) throw new FormError(`${place}.toolName:`, 'a tool call needs the name of its tool');
  sink.call({ id, name, arguments: tool.input ?? tool.rawInput ?? tool.args }, place);
  if (STATES_WITHOUT_RESULT.has(state)) return;
  if (state === 'output-available' || state === 'result') {
    sink.result({ id, name, ...toolOutput(output ?? result) });
  } else if (state === 'output-error') {
    sink.result({ id, name, content: toolErrorText(tool.errorText), is_error: true });
  } else if (state === 'output-denied') {
    const why = tool.approval?.reason ?? 'The tool was not allowed to run.';
    sink.result({ id, name, content: why, is_error: true, refused: true });
  } else {
    throw new FormError(
      place,
      `has the state "${state}", which Salvo does not know. Known are: ${[...STATES_WITHOUT_RESULT, 'output-available', 'output-error', 'output-denied', 'result'].join(', ')}`,
    );
  }
}

function readPart(part: z.infer<typeof partsSchema>[number], sink: PartSink, place: string): void {
  const { type } = part;
  if (type === 'text') sink.text(readAs(textSchema, part, place).text, place);
  else if (type === 'reasoning') {
    const { text, reasoning } = readAs(reasoningSchema, part, place);
    sink.reasoning(text ?? reasoning ?? '', place);
  } else if (type === 'reasoning-file') sink.reasoning(mediaName(mediaKind(part.mediaType)), place);
  else if (type === 'file') fileReader(part, sink, place);
  else if (type === 'source-url') sink.marker(mediaName('source', part.url), place);
  else if (type === 'source-document') sink.marker(mediaName('source', part.title ?? part.filename), place);
  else if (type === 'custom') sink.marker(mediaName('custom', part.kind), place);
  else if (type.startsWith('data-')) sink.marker(mediaName(type, JSON.stringify(part.data)), place);
  // A boundary, which has no content of its own.
  else if (type !== 'step-start') throw unknownType(place, type, KNOWN);
}
