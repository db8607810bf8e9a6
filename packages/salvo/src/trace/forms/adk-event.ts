import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import type { Conversation } from './conversation.ts';
import { FormError, readAs } from './form-error.ts';
import { readGeminiContent } from './gemini-content.ts';
import { usageSchema } from './usage.ts';

/** The SDK for TypeScript, then the one for Python. */
const eventSchema = z.object({
  author: z.string(),
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
});

/** Whether it is an event of Google's Agent Development Kit: who spoke, what was said, and what it did. */
export function isAdkEvent({ author, content, ...event }: Record<string, unknown>): boolean {
  if (typeof author !== 'string') return false;
  if (isRecord(content)) return 'parts' in content || 'actions' in event;
  return 'actions' in event && ('invocationId' in event || 'invocation_id' in event);
}

export function readAdkEvent(given: Record<string, unknown>, into: Conversation, place: string): void {
  const event = readAs(eventSchema, given, place);
  const { author, content, partial } = event;
  // Pieces of a stream: the event with all of it follows.
  if (partial) return;
  const code = event.errorCode ?? event.error_code;
  if (!content?.parts || content.parts.length === 0) {
    // Events that only change the state of the session have no content.
    if (code == null) return;
    const message = event.errorMessage ?? event.error_message ?? 'without a message';
    throw new FormError(place, `reports an error (${String(code)}): ${message}`);
  }
  const role = content.role ?? (author === 'user' ? 'user' : 'model');
  readGeminiContent({ ...content, role }, into, `${place}.content`);
  if (role !== 'model') return;
  into.spokenBy(author);
  into.by(event.modelVersion ?? event.model_version);
  into.count(event.usageMetadata ?? event.usage_metadata);
}
