import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { mediaKind, mediaName } from '../files/media-type.ts';
import { mediumFile } from '../files/medium-file.ts';
import type { Conversation } from './conversation.ts';
import { FormError, readAs } from './form-error.ts';
import { assistantSink, type PartSink, readIntoText } from './part-sink.ts';
import { toolErrorText, toolOutput } from './tool-output.ts';

const call = z.object({ id: z.string().nullish(), name: z.string().min(1), args: z.unknown().optional() });
const response = z.object({
  id: z.string().nullish(),
  name: z.string().min(1),
  response: z.record(z.string(), z.unknown()).nullish(),
});
const media = z.object({ mimeType: z.string().nullish(), displayName: z.string().nullish() });
const partSchema = z.object({
  text: z.string().nullish(),
  thought: z.boolean().nullish(),
  functionCall: call.nullish(),
  functionResponse: response.nullish(),
  inlineData: media.nullish(),
  fileData: media.nullish(),
  executableCode: z.object({ language: z.string().nullish(), code: z.string() }).nullish(),
  toolCall: z
    .object({ id: z.string().nullish(), toolType: z.string().nullish(), args: z.unknown().optional() })
    .nullish(),
  toolResponse: z
    .object({ id: z.string().nullish(), toolType: z.string().nullish(), response: z.unknown().optional() })
    .nullish(),
  audioTranscription: z.object({ text: z.string().nullish() }).nullish(),
  codeExecutionResult: z.object({ outcome: z.string().nullish(), output: z.string().nullish() }).nullish(),
});
const FIELDS = Object.keys(partSchema.shape);
/** Gemini's SDK for Python, and what it traces, writes the same fields in snake_case. */
const NAMES = new Map([...FIELDS, 'mimeType', 'displayName', 'toolType'].map((name) => [snakeCase(name), name]));
/** Code that Gemini wrote and ran itself. */
const CODE_TOOL = 'code_execution';

/** A `Content` of Gemini: its parts have no type, but one field each. */
export function readGeminiContent(content: Record<string, unknown>, into: Conversation, place: string): void {
  const parts = readAs(z.array(z.looseObject({})), content.parts, `${place}.parts`).map(camelCase);
  const readParts = (sink: PartSink): void => {
    for (const [index, part] of parts.entries()) readPart(part, sink, `${place}.parts[${index}]`);
  };
  const { role } = content;
  if (role === 'model' || role === 'assistant') into.assistant(() => readParts(assistantSink(into)));
  else if (role === 'system') readIntoText(into, 'system', readParts);
  else if (role === 'user' || role === 'function' || role === 'tool' || role === undefined)
    readIntoText(into, 'user', readParts);
  else throw new FormError(`${place}.role:`, 'expected user, model or function');
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camelCase(part: Record<string, unknown>): Record<string, unknown> {
  const renamed = (of: Record<string, unknown>): [string, unknown][] =>
    Object.entries(of).map(([key, value]) => [NAMES.get(key) ?? key, value]);
  return Object.fromEntries(
    renamed(part).map(([key, value]) => {
      const isMedium = (key === 'inlineData' || key === 'fileData') && isRecord(value);
      return [key, isMedium ? Object.fromEntries(renamed(value)) : value];
    }),
  );
}

function readPart(part: Record<string, unknown>, sink: PartSink, place: string): void {
  const given = readAs(partSchema, part, place);
  if (!FIELDS.some((field) => field !== 'thought' && part[field] != null)) {
    throw new FormError(
      place,
      `has none of the fields that Salvo knows: ${FIELDS.join(', ')}; it has ${Object.keys(part).join(', ') || 'none'}`,
    );
  }
  if (given.text != null) {
    if (given.thought) sink.reasoning(given.text, place);
    else sink.text(given.text, place);
  }
  const file = given.inlineData ?? given.fileData;
  if (file) sink.marker(mediaName(mediaKind(file.mimeType), file.displayName), place, mediumFile(part));
  if (given.functionCall) {
    const { id, name, args } = given.functionCall;
    sink.call({ id, name, arguments: args }, place);
  }
  if (given.functionResponse) {
    const { id, name, response: output } = given.functionResponse;
    const error = output?.error;
    if (error === undefined) sink.result({ id, name, ...toolOutput(output) });
    else sink.result({ id, name, content: toolErrorText(error), is_error: true });
  }
  // Tools that ran at Google.
  if (given.toolCall) {
    const { id, toolType, args } = given.toolCall;
    sink.call({ id, name: toolType?.toLowerCase() || 'tool', arguments: args }, place);
  }
  if (given.toolResponse) {
    const { id, toolType, response: output } = given.toolResponse;
    sink.result({ id, name: toolType?.toLowerCase(), ...toolOutput(output) });
  }
  if (given.audioTranscription?.text) sink.text(given.audioTranscription.text, place);
  if (given.executableCode) sink.call({ name: CODE_TOOL, arguments: given.executableCode }, place);
  if (given.codeExecutionResult) {
    const { outcome, output } = given.codeExecutionResult;
    const is_error = outcome != null && outcome !== 'OUTCOME_OK';
    sink.result({ name: CODE_TOOL, content: output ?? outcome ?? '', is_error });
  }
}
