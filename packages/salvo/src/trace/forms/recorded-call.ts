import { isRecord } from '../../text/json/is-record.ts';
import { FormError } from './form-error.ts';
import { observationUsage } from './recorded/langfuse-trace.ts';
import { messagesIn, parsed } from './recorded/recorded-messages.ts';
import { milliseconds } from './recorded/recorded-step.ts';
import { type Usage, usageSchema } from './usage.ts';

/** What a tracing tool recorded of a call or of a whole conversation. */
export interface RecordedCall {
  /** What was sent and what came back, each message in whatever form it is. */
  messages: unknown[];
  model: string | null;
  usage: Usage | null;
  latency_seconds: number | null;
  timestamp: string | null;
}

/** Reads a span of OpenTelemetry, a run of LangSmith, or an observation or trace of Langfuse; undefined if it is none. */
export function recordedCall(record: Record<string, unknown>): RecordedCall | undefined {
  // A message of an agent may have fields of these names beside its text.
  if ('content' in record) return undefined;
  const attributes = attributesOf(record);
  if (attributes['gen_ai.output.messages'] !== undefined) return { ...otelSpan(attributes), ...timesOf(record) };
  if (record.run_type === 'tool' || (record.type === 'TOOL' && 'traceId' in record)) {
    throw new FormError('it', 'is what one tool did, and not a conversation: pass the trace with all its steps');
  }
  const model = typeof record.model === 'string' ? record.model : null;
  if (isRecord(record.inputs) && 'outputs' in record) {
    const usage = usageSchema.safeParse(record).data ?? null;
    return {
      messages: exchange(record.inputs, record.outputs, ['inputs', 'outputs']),
      model,
      usage,
      ...timesOf(record),
    };
  }
  if ('input' in record && 'output' in record && record.object !== 'response') {
    const usage = observationUsage(record) ?? usageSchema.safeParse(record.usage).data ?? null;
    return { messages: exchange(record.input, record.output, ['input', 'output']), model, usage, ...timesOf(record) };
  }
  return undefined;
}

/** Langfuse has `startTime`, or the `timestamp` of a trace with its `latency` in seconds; LangSmith has `start_time`. */
function timesOf(record: Record<string, unknown>): Pick<RecordedCall, 'latency_seconds' | 'timestamp'> {
  const start = milliseconds(record.startTime ?? record.start_time ?? record.timestamp);
  const end = milliseconds(record.endTime ?? record.end_time);
  const told = typeof record.latency === 'number' && 'timestamp' in record ? record.latency : null;
  return {
    latency_seconds: start !== null && end !== null && end >= start ? (end - start) / 1000 : told,
    timestamp: start === null ? null : new Date(start).toISOString(),
  };
}

function otelSpan(attributes: Record<string, unknown>): Omit<RecordedCall, 'latency_seconds' | 'timestamp'> {
  const names = ['gen_ai.input.messages', 'gen_ai.output.messages'] as const;
  const [input = [], output] = names.map((name) => attributes[name]);
  const instructions = parsed(attributes['gen_ai.system_instructions'], 'gen_ai.system_instructions');
  const system = Array.isArray(instructions) ? [{ role: 'system', parts: instructions }] : [];
  const model = attributes['gen_ai.response.model'] ?? attributes['gen_ai.request.model'];
  const tokens = (name: string) => Number(attributes[`gen_ai.usage.${name}`] ?? Number.NaN);
  const usage = { input_tokens: tokens('input_tokens'), output_tokens: tokens('output_tokens') };
  return {
    messages: [...system, ...exchange(input, output, names)],
    model: typeof model === 'string' ? model : null,
    usage: Number.isFinite(usage.input_tokens + usage.output_tokens) ? usage : null,
  };
}

/** Attributes are a map, or, as OTLP writes them, a list of keys and typed values. A log may have them by themselves. */
function attributesOf(record: Record<string, unknown>): Record<string, unknown> {
  const { attributes } = record;
  if (!Array.isArray(attributes)) return isRecord(attributes) ? attributes : record;
  return Object.fromEntries(
    attributes.flatMap((entry) => {
      if (!isRecord(entry) || typeof entry.key !== 'string') return [];
      return [[entry.key, isRecord(entry.value) ? Object.values(entry.value)[0] : entry.value]];
    }),
  );
}

/** What was sent, then what came back. A graph returns its whole state: then what was sent is in it already. */
export function exchange(input: unknown, output: unknown, names: readonly [string, string]): unknown[] {
  const answered = messagesIn(output, 'assistant', names[1]);
  const [first] = answered;
  return isAsked(first) ? answered : [...messagesIn(input, 'user', names[0]), ...answered];
}

const ASKING = new Set(['user', 'system', 'developer', 'human']);

function isAsked(message: unknown): boolean {
  if (!isRecord(message)) return false;
  const { role, type, id } = message;
  if (Array.isArray(id)) return /^(?:Human|System)Message/.test(String(id.at(-1)));
  return ASKING.has(String(role ?? type));
}
