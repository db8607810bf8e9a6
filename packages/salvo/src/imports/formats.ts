import { braintrustFormat } from './formats/braintrust.ts';
import { conversationFormat } from './formats/conversation.ts';
import { langfuseFormat } from './formats/langfuse.ts';
import { langsmithFormat } from './formats/langsmith.ts';
import { otelFormat } from './formats/otel.ts';
import type { ImportFormat } from './import-format.ts';

/** In the order in which they are asked: a form that others contain comes after them. */
export const FORMATS: readonly ImportFormat[] = [
  langfuseFormat,
  langsmithFormat,
  braintrustFormat,
  otelFormat,
  conversationFormat,
];
