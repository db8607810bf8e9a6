import type { Trace } from '../trace/trace.ts';
import { traceWithoutText } from '../trace/without-text.ts';
import { createTextRedactor } from './redact-text.ts';
import { redactTrace } from './redact-trace.ts';
import { redactValue } from './redact-value.ts';

export interface RedactionOptions {
  /** `metadata_only` keeps figures and tool names, and none of what was said. */
  mode: 'full' | 'metadata_only';
  /** Regular expressions (RE2 syntax) of the project: `custom_redaction_patterns`. */
  customPatterns: readonly string[];
  /** Values that must not appear anywhere, such as the API keys in use. Those under 6 characters are ignored. */
  secrets: readonly string[];
}

/** Takes secrets out of what is about to be stored. Idempotent, and never changes what has no secret in it. */
export interface Redactor {
  mode: RedactionOptions['mode'];
  text(text: string): string;
  /** Any JSON value: also whole strings under a key such as `password`, and secrets inside keys. */
  value<T>(json: T): T;
  /** A trace that still fits `traceSchema`; without any text in `metadata_only` mode. */
  trace(trace: Trace): Trace;
}

export async function createRedactor(options: RedactionOptions): Promise<Redactor> {
  const text = await createTextRedactor(options);
  return {
    mode: options.mode,
    text,
    value: (json) => redactValue(json, text),
    trace(trace) {
      const redacted = redactTrace(trace, text);
      return options.mode === 'metadata_only' ? traceWithoutText(redacted) : redacted;
    },
  };
}
