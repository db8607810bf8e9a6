import { isRecord } from '../../text/json/is-record.ts';
import { bracketsFrom, MAX_NESTING } from '../../text/json/nesting.ts';
import { FormError } from './form-error.ts';
import { type Usage, usageSchema } from './usage.ts';

/** What a tracing tool recorded of a call or of a whole conversation. */
export interface RecordedCall {
  /** What was sent and what came back, each message in whatever form it is. */
  messages: unknown[];
  model: string | null;
  usage: Usage | null;
}

/** Reads a span of OpenTelemetry, a run of LangSmith, or an observation or trace of Langfuse; undefined if it is none. */
export function recordedCall(record: Record<string, unknown>): RecordedCall | undefined {
  // A message of an agent may have fields of these names beside its text.
  if ('content' in record) return undefined;
  const attributes = attributesOf(record);
  if (attributes['gen_ai.output.messages'] !== undefined) return otelSpan(attributes);
  if (isRecord(record.inputs) && 'outputs' in record) {
    const usage = usageSchema.safeParse(record).data ?? null;
    return { messages: exchange(record.inputs, record.outputs, ['inputs', 'outputs']), model: null, usage };
  }
  if ('input' in record && 'output' in record && record.object !== 'response') {
    const usage = langfuseUsage(record.usageDetails) ?? langfuseUsage(record.usage);
    return { messages: exchange(record.input, record.output, ['input', 'output']), model: null, usage };
  }
  return undefined;
}

function otelSpan(attributes: Record<string, unknown>): RecordedCall {
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

function langfuseUsage(given: unknown): Usage | null {
  if (!isRecord(given)) return null;
  const { input, output } = given;
  return typeof input === 'number' && typeof output === 'number'
    ? { input_tokens: input, output_tokens: output }
    : null;
}

/** What was sent, then what came back. A graph returns its whole state: then what was sent is in it already. */
function exchange(input: unknown, output: unknown, names: readonly [string, string]): unknown[] {
  const answered = messagesIn(output, 'assistant', names[1]);
  const [first] = answered;
  return isAsked(first) ? answered : [...messagesIn(input, 'user', names[0]), ...answered];
}

/** Messages, one message, a text, or an object that has one of them. */
function messagesIn(given: unknown, role: 'user' | 'assistant', name: string): unknown[] {
  const value = parsed(given, name);
  if (typeof value === 'string') return [{ role, content: value }];
  if (Array.isArray(value)) return value.length === 1 && Array.isArray(value[0]) ? value[0] : value;
  if (isRecord(value)) {
    if (Array.isArray(value.messages)) return messagesIn(value.messages, role, `${name}.messages`);
    const [generation] = Array.isArray(value.generations) ? value.generations.flat() : [];
    const [choice] = Array.isArray(value.choices) ? value.choices : [];
    const answer = isRecord(generation) ? (generation.message ?? generation.text) : isRecord(choice) && choice.message;
    if (answer) return messagesIn(answer, role, name);
    if ('role' in value || 'content' in value || 'lc' in value || 'type' in value) return [{ role, ...value }];
    const [only, ...others] = Object.values(value);
    if (others.length === 0 && (typeof only === 'string' || isRecord(only))) return messagesIn(only, role, name);
  }
  throw new FormError(`${name}:`, 'expected messages, or a text');
}

/** Attributes and exported tables have JSON as text. */
function parsed(value: unknown, name: string): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const { deepest } = bracketsFrom(value, value.search(/[[{]/));
  if (deepest > MAX_NESTING) throw new FormError(`${name}:`, `nested more than ${MAX_NESTING} levels deep`);
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const ASKING = new Set(['user', 'system', 'developer', 'human']);

function isAsked(message: unknown): boolean {
  if (!isRecord(message)) return false;
  const { role, type, id } = message;
  if (Array.isArray(id)) return /^(?:Human|System)Message/.test(String(id.at(-1)));
  return ASKING.has(String(role ?? type));
}
