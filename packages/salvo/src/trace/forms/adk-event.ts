import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import type { Conversation } from './conversation.ts';
import { FormError, readAs } from './form-error.ts';
import { readGeminiContent } from './gemini-content.ts';
import { toolOutputText } from './tool-output.ts';
import { usageSchema } from './usage.ts';

const transcriptionSchema = z.object({ text: z.string().nullish() }).nullish();

/** The SDK for TypeScript, then the one for Python. */
const eventSchema = z.object({
  author: z.string().nullish(),
  partial: z.boolean().nullish(),
  content: z.looseObject({ role: z.string().nullish(), parts: z.array(z.unknown()).nullish() }).nullish(),
  usageMetadata: usageSchema,
  usage_metadata: usageSchema,
  modelVersion: z.string().nullish(),
  model_version: z.string().nullish(),
  errorCode: z.unknown().optional(),
  error_code: z.unknown().optional(),
  errorMessage: z.string().nullish(),
  error_message: z.string().nullish(),
  finishReason: z.string().nullish(),
  finish_reason: z.string().nullish(),
  inputTranscription: transcriptionSchema,
  input_transcription: transcriptionSchema,
  outputTranscription: transcriptionSchema,
  output_transcription: transcriptionSchema,
  compactedContent: z.string().nullish(),
  output: z.unknown().optional(),
});
type AdkEvent = z.infer<typeof eventSchema>;

/** Whether it is an event of Google's Agent Development Kit: who spoke, what was said, and what it did. */
export function isAdkEvent(event: Record<string, unknown>): boolean {
  const { author, content } = event;
  const isOfRun = 'actions' in event && ('invocationId' in event || 'invocation_id' in event);
  if (typeof author !== 'string') return author === undefined && isOfRun;
  if (isRecord(content)) return 'parts' in content || 'actions' in event;
  return isOfRun;
}

export function readAdkEvent(given: Record<string, unknown>, into: Conversation, place: string): void {
  const event = readAs(eventSchema, given, place);
  const { author, content, partial } = event;
  // Pieces of a stream: the event with all of it follows.
  if (partial) return;
  if (!content?.parts || content.parts.length === 0) {
    readWithoutContent(event, into, place);
    return;
  }
  const role = content.role ?? (author === 'user' ? 'user' : 'model');
  readGeminiContent({ ...content, role }, into, `${place}.content`);
  if (role === 'model') describeAnswer(event, into);
}

/** Speech has its words beside it, a workflow what its nodes return. Other events only change the state of the session. */
function readWithoutContent(event: AdkEvent, into: Conversation, place: string): void {
  const code = event.errorCode ?? event.error_code;
  if (code != null) {
    const message = event.errorMessage ?? event.error_message ?? 'without a message';
    throw new FormError(place, `reports an error (${String(code)}): ${message}`);
  }
  const heard = (event.inputTranscription ?? event.input_transcription)?.text;
  if (heard) into.text('user', heard);
  const spoken = (event.outputTranscription ?? event.output_transcription)?.text;
  if (spoken) {
    into.assistant(() => into.say(spoken));
    describeAnswer(event, into);
  }
  // A summary that takes the place of earlier events.
  if (event.compactedContent) into.text('system', event.compactedContent);
  if (event.output == null) return;
  into.assistant(() => into.say(toolOutputText(event.output)));
  into.spokenBy(event.author);
}

function describeAnswer(event: AdkEvent, into: Conversation): void {
  into.spokenBy(event.author);
  into.by(event.modelVersion ?? event.model_version);
  into.count(event.usageMetadata ?? event.usage_metadata);
  into.endedBy((event.finishReason ?? event.finish_reason)?.toLowerCase());
}
