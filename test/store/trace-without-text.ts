import { createRedactor } from '../../packages/salvo/src/secrets/redactor.ts';
import { createDocumentRedactor } from '../../packages/salvo/src/store/redaction/redact-document.ts';
import { type Trace, traceSchema } from '../../packages/salvo/src/trace/trace.ts';

/** A trace as it is stored with `recording: { mode: metadata_only }`. */
export function traceWithoutText(trace: Trace): Trace {
  const redactor = createRedactor({ customPatterns: [], secrets: [] });
  return createDocumentRedactor({ redactor, mode: 'metadata_only' })(traceSchema, trace);
}
