import { decodeProtobuf, type MessageType } from './protobuf.ts';

// The messages of opentelemetry/proto that hold spans and log records, with the fields that are read.

const anyValue: MessageType = {
  1: { name: 'stringValue', type: 'string' },
  2: { name: 'boolValue', type: 'bool' },
  3: { name: 'intValue', type: 'int64' },
  4: { name: 'doubleValue', type: 'double' },
  5: { name: 'arrayValue', type: () => ({ 1: { name: 'values', type: () => anyValue, repeated: true } }) },
  6: { name: 'kvlistValue', type: () => ({ 1: { name: 'values', type: () => keyValue, repeated: true } }) },
  7: { name: 'bytesValue', type: 'bytes' },
};

const keyValue: MessageType = {
  1: { name: 'key', type: 'string' },
  2: { name: 'value', type: () => anyValue },
};

const attributes = { name: 'attributes', type: () => keyValue, repeated: true } as const;

const span: MessageType = {
  1: { name: 'traceId', type: 'hex' },
  2: { name: 'spanId', type: 'hex' },
  4: { name: 'parentSpanId', type: 'hex' },
  5: { name: 'name', type: 'string' },
  7: { name: 'startTimeUnixNano', type: 'fixed64' },
  8: { name: 'endTimeUnixNano', type: 'fixed64' },
  9: attributes,
  11: {
    name: 'events',
    type: () => ({ 1: { name: 'timeUnixNano', type: 'fixed64' }, 2: { name: 'name', type: 'string' }, 3: attributes }),
    repeated: true,
  },
  15: { name: 'status', type: () => ({ 2: { name: 'message', type: 'string' }, 3: { name: 'code', type: 'enum' } }) },
};

const logRecord: MessageType = {
  1: { name: 'timeUnixNano', type: 'fixed64' },
  5: { name: 'body', type: () => anyValue },
  6: attributes,
  9: { name: 'traceId', type: 'hex' },
  10: { name: 'spanId', type: 'hex' },
  12: { name: 'eventName', type: 'string' },
};

const traces: MessageType = {
  1: { name: 'resourceSpans', type: () => withScopes('scopeSpans', 'spans', span), repeated: true },
};
const logs: MessageType = {
  1: { name: 'resourceLogs', type: () => withScopes('scopeLogs', 'logRecords', logRecord), repeated: true },
};

function withScopes(scopes: string, records: string, record: MessageType): MessageType {
  const scope: MessageType = { 2: { name: records, type: () => record, repeated: true } };
  return { 2: { name: scopes, type: () => scope, repeated: true } };
}

/** The JSON form of an `ExportTraceServiceRequest` or an `ExportLogsServiceRequest`. */
export function decodeOtlp(bytes: Uint8Array, signal: 'traces' | 'logs'): Record<string, unknown> {
  return decodeProtobuf(bytes, signal === 'traces' ? traces : logs);
}
