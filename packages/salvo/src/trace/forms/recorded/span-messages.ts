import { isRecord } from '../../../text/json/is-record.ts';
import { spreadList } from './otlp-values.ts';
import { parsed } from './recorded-messages.ts';

export type Attributes = Record<string, unknown>;

/** Something that happened within a span, or a log record that belongs to it. */
export interface SpanEvent {
  name: string;
  attributes: Attributes;
}

/** What a model was sent and what it answered, as a span has it. Null if the span does not say. */
export interface SpanMessages {
  input: unknown;
  output: unknown;
  /** The attributes or events where they are, for messages about them. */
  fields: readonly [string, string];
}

/** Reads one convention for messages in spans; undefined if the span does not follow it. */
type Convention = (attributes: Attributes, events: readonly SpanEvent[]) => SpanMessages | undefined;

/** The messages of a call of a model, in the conventions of GenAI, the AI SDK, OpenInference and Traceloop. */
export function spanMessages(attributes: Attributes, events: readonly SpanEvent[]): SpanMessages {
  for (const read of CONVENTIONS) {
    const found = read(attributes, events);
    if (found) return found;
  }
  return { input: null, output: null, fields: ['input', 'output'] };
}

const GEN_AI = ['gen_ai.input.messages', 'gen_ai.output.messages'] as const;

/** The current convention: attributes of the span, or of an event with the details of the call. */
const genAi: Convention = (attributes, events) => {
  const details = events.find(({ attributes: own }) => GEN_AI.some((name) => own[name] !== undefined))?.attributes;
  const all = { ...attributes, ...details };
  if (GEN_AI.every((name) => all[name] === undefined)) return undefined;
  const [input = null, output = null] = GEN_AI.map((name) => parsed(all[name], name));
  const instructions = parsed(all['gen_ai.system_instructions'], 'gen_ai.system_instructions');
  const system = Array.isArray(instructions) ? [{ role: 'system', parts: instructions }] : [];
  return { input: Array.isArray(input) ? [...system, ...input] : input, output, fields: GEN_AI };
};

/** The deprecated convention: an event for each message. */
const genAiEvents: Convention = (_, events) => {
  const sent: object[] = [];
  let answered: object | null = null;
  for (const { name, attributes } of events) {
    const [, role] = /^gen_ai\.(system|user|assistant|tool|choice)(?:\.message)?$/.exec(name) ?? [];
    if (role === undefined) continue;
    const body = messageOfEvent(attributes);
    if (role === 'choice') answered ??= { ...body, role: 'assistant' };
    else sent.push({ ...body, role, ...(role === 'tool' ? { tool_call_id: body.id } : {}) });
  }
  const old = events.find(({ attributes }) => attributes['gen_ai.completion'] !== undefined)?.attributes;
  if (sent.length === 0 && answered === null && !old) return undefined;
  return {
    input: sent.length > 0 ? sent : promptOf(events),
    output: answered ? [answered] : (old?.['gen_ai.completion'] ?? null),
    fields: ['gen_ai.*.message', 'gen_ai.choice'],
  };
};

function promptOf(events: readonly SpanEvent[]): unknown {
  return events.find(({ attributes }) => 'gen_ai.prompt' in attributes)?.attributes['gen_ai.prompt'] ?? null;
}

/** `{content, tool_calls}` in attributes, maybe as JSON, or within `message`. */
function messageOfEvent(attributes: Attributes): Record<string, unknown> {
  const whole = parsed(attributes['gen_ai.event.content'], 'gen_ai.event.content');
  const told = isRecord(whole) ? whole : attributes;
  const inner = parsed(told.message, 'message');
  // Strands has the blocks of an answer in `message`.
  const body = isRecord(inner) ? inner : inner === undefined ? told : { ...told, content: inner };
  const { content = null, tool_calls, id } = body;
  const calls = parsed(tool_calls, 'tool_calls');
  return { content, ...(Array.isArray(calls) ? { tool_calls: calls } : {}), ...(id === undefined ? {} : { id }) };
}

/** `ai.*` of the AI SDK: the calls of a provider, `doGenerate` and `doStream`. */
const aiSdk: Convention = (attributes) => {
  const fields = ['ai.prompt.messages', 'ai.response'] as const;
  const input = attributes[fields[0]] ?? attributes['ai.prompt'];
  const text = attributes['ai.response.text'];
  const calls = parsed(attributes['ai.response.toolCalls'], 'ai.response.toolCalls');
  const object = attributes['ai.response.object'];
  if (input === undefined && text === undefined && calls === undefined && object === undefined) return undefined;
  const reasoning = attributes['ai.response.reasoning'];
  const thought = typeof reasoning === 'string' ? [{ type: 'reasoning', text: reasoning }] : [];
  const said = text ?? object;
  const parts = [...thought, ...(typeof said === 'string' && said !== '' ? [{ type: 'text', text: said }] : [])];
  const toolCalls = Array.isArray(calls) ? calls.map(aiSdkCall) : [];
  const isAnswered = said !== undefined || Array.isArray(calls);
  return {
    input: parsed(input, fields[0]) ?? null,
    output: isAnswered ? [{ role: 'assistant', content: [...parts, ...toolCalls] }] : null,
    fields,
  };
};

function aiSdkCall(call: unknown): unknown {
  return isRecord(call) ? { ...call, type: 'tool-call', input: parsed(call.input ?? call.args, 'input') } : call;
}

/** OpenInference: messages are spread over attributes, or whole values are in `input.value` and `output.value`. */
const openInference: Convention = (attributes) => {
  if (attributes['openinference.span.kind'] === undefined) return undefined;
  const fields = ['llm.input_messages', 'llm.output_messages'] as const;
  const [sent, answered] = fields.map((name) => spreadList(attributes, name).map(openInferenceMessage));
  return {
    input: sent && sent.length > 0 ? sent : (attributes['input.value'] ?? null),
    output: answered && answered.length > 0 ? answered : (attributes['output.value'] ?? null),
    fields,
  };
};

function openInferenceMessage({ message }: Record<string, unknown>): Record<string, unknown> {
  if (!isRecord(message)) return {};
  const { contents, tool_calls, content, ...rest } = message;
  const texts = Array.isArray(contents)
    ? contents.map((part) => {
        const inner = isRecord(part) && isRecord(part.message_content) ? part.message_content : {};
        return inner.type === 'text' || inner.text !== undefined
          ? { type: 'text', text: inner.text }
          : { type: 'image' };
      })
    : undefined;
  const calls = Array.isArray(tool_calls)
    ? tool_calls.map((call) => ({
        type: 'function',
        ...(isRecord(call) && isRecord(call.tool_call) ? call.tool_call : {}),
      }))
    : undefined;
  return { ...rest, content: content ?? texts ?? null, ...(calls ? { tool_calls: calls } : {}) };
}

/** Traceloop's libraries spread messages over `gen_ai.prompt.0.content` and `gen_ai.completion.0.content`. */
const traceloop: Convention = (attributes) => {
  for (const fields of TRACELOOP) {
    const [sent = [], answered = []] = fields.map((name) => spreadList(attributes, name).map(traceloopMessage));
    if (sent.length === 0 && answered.length === 0) continue;
    const output = answered.length > 0 ? answered.map((each) => ({ role: 'assistant', ...each })) : null;
    return { input: sent, output, fields };
  }
  return undefined;
};

/** Now, and before. */
const TRACELOOP = [
  ['gen_ai.prompt', 'gen_ai.completion'],
  ['llm.prompts', 'llm.completions'],
] as const;

function traceloopMessage({ tool_calls, finish_reason: _, content = null, ...message }: Record<string, unknown>) {
  if (!Array.isArray(tool_calls)) return { ...message, content };
  const calls = tool_calls.map((call) => {
    const { id, name, arguments: args } = isRecord(call) ? call : {};
    return { id, type: 'function', function: { name, arguments: args ?? '' } };
  });
  return { ...message, content, tool_calls: calls };
}

/** Events of the deprecated convention as one attribute, as Pydantic AI has them. */
const listedEvents: Convention = (attributes, events) => {
  const listed = parsed(attributes.events ?? attributes.all_messages_events, 'events');
  if (!Array.isArray(listed)) return undefined;
  const named = listed.flatMap((event) => {
    if (!isRecord(event)) return [];
    const { 'event.name': name, ...body } = event;
    return typeof name === 'string' ? [{ name, attributes: body }] : [];
  });
  return named.length === 0 ? undefined : genAiEvents(attributes, [...events, ...named]);
};

const WHOLE_VALUES = [
  ['gen_ai.prompt', 'gen_ai.completion'],
  ['gcp.vertex.agent.llm_request', 'gcp.vertex.agent.llm_response'],
  ['pydantic_ai.all_messages', 'final_result'],
  ['langfuse.observation.input', 'langfuse.observation.output'],
  ['mlflow.spanInputs', 'mlflow.spanOutputs'],
  ['traceloop.entity.input', 'traceloop.entity.output'],
  ['input.value', 'output.value'],
] as const;

/** Libraries of their own conventions, which have all that was sent and all that was answered in one attribute each. */
const wholeValues: Convention = (attributes) => {
  const fields = WHOLE_VALUES.find((names) => names.some((name) => attributes[name] !== undefined));
  if (fields === undefined) return undefined;
  const [input = null, output = null] = fields.map((name) => attributes[name]);
  return { input, output, fields };
};

const CONVENTIONS: readonly Convention[] = [
  ...[genAi, aiSdk, openInference, traceloop],
  ...[listedEvents, genAiEvents, wholeValues],
];

/** Whether a span has messages as such, and not only values in which they may be. */
export function hasSpanMessages(attributes: Attributes): boolean {
  return Object.keys(attributes).some((name) =>
    /^(?:gen_ai\.(?:output\.messages|completion\.\d)|llm\.output_messages)/.test(name),
  );
}
