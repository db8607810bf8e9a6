import { createRedactor } from '../../src/secrets/redactor.ts';
import { createDocumentRedactor } from '../../src/store/redaction/redact-document.ts';
import { type Trace, traceSchema } from '../../src/trace/trace.ts';

/** A trace as it is stored with `recording: { mode: metadata_only }`. */
export function traceWithoutText(trace: Trace): Trace {
  const redactor = createRedactor({ customPatterns: [], secrets: [] });
  return createDocumentRedactor({ redactor, mode: 'metadata_only' })(traceSchema, trace);
}
