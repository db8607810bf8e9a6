import { quoteOutput } from '../../../text/output/quote-output.ts';
import { finishReason } from '../finish-reason.ts';
import { type Usage, usageSchema } from '../usage.ts';
import { parsed } from './recorded-messages.ts';
import { isText, type RecordedStep } from './recorded-step.ts';
import { type Attributes, type SpanEvent, spanMessages } from './span-messages.ts';

/** A span as SDKs and OTLP write it, under one set of names. */
export interface Span {
  id: string;
  parent: string | null;
  traceId: string | null;
  name: string;
  start: number | null;
  end: number | null;
  attributes: Attributes;
  events: SpanEvent[];
  error: string | null;
  /** The library that recorded it. */
  scope?: string | undefined;
}

const MODEL_OPERATIONS: ReadonlySet<unknown> = new Set([
  'chat',
  'text_completion',
  'generate_content',
  // Before the conventions had names for all of them.
  'completion',
  'generate',
]);
const AGENT_OPERATIONS: ReadonlySet<unknown> = new Set(['invoke_agent', 'create_agent']);
const OPENINFERENCE = new Map<unknown, RecordedStep['kind']>([
  ['LLM', 'model'],
  ['TOOL', 'tool'],
  ['GUARDRAIL', 'guard'],
  ['EVALUATOR', 'evaluator'],
]);

export function kindOfSpan({ attributes }: Pick<Span, 'attributes'>): RecordedStep['kind'] {
  const operation = attributes['gen_ai.operation.name'];
  if (operation === 'execute_tool') return 'tool';
  if (MODEL_OPERATIONS.has(operation)) return 'model';
  const inference = OPENINFERENCE.get(attributes['openinference.span.kind']);
  if (inference) return inference;
  const operationId = attributes['ai.operationId'];
  const aiSdk = isText(operationId) ? operationId : '';
  if (aiSdk === 'ai.toolCall') return 'tool';
  // The outer of the two spans of a call counts only if there is no inner one.
  if (/^ai\.(?:generate|stream)(?:Text|Object)(?:\.do(?:Generate|Stream))?$/.test(aiSdk)) return 'model';
  if (attributes['traceloop.span.kind'] === 'tool') return 'tool';
  const type = attributes['llm.request.type'];
  if (type !== undefined) return type === 'embedding' ? 'other' : 'model';
  const isNamed = operation !== undefined || attributes['openinference.span.kind'] !== undefined;
  return isNamed || aiSdk !== '' ? 'other' : unnamedKind(attributes);
}

/** Some libraries do not name the operation: Pydantic AI of its tools, the Agent Development Kit of its models. */
function unnamedKind(attributes: Attributes): RecordedStep['kind'] {
  if (isText(attributes['gen_ai.tool.name'])) return 'tool';
  if (isText(attributes['gcp.vertex.agent.llm_request']) && attributes['gcp.vertex.agent.llm_request'] !== '{}') {
    return 'model';
  }
  const hasModel = ['gen_ai.request.model', 'gen_ai.response.model'].some((name) => isText(attributes[name]));
  const isAnswer = (name: string): boolean =>
    /^gen_ai\.(?:output\.messages|completion|usage\.output_tokens)/.test(name);
  return hasModel && Object.keys(attributes).some(isAnswer) ? 'model' : 'other';
}

/** The agent that a span is about; null if it names none. */
function agentOf({ attributes, name }: Pick<Span, 'attributes' | 'name'>): string | null {
  const told = [attributes['gen_ai.agent.name'], attributes['agent.name'], attributes.agent_name].find(isText);
  if (told !== undefined) return told;
  if (AGENT_OPERATIONS.has(attributes['gen_ai.operation.name'])) {
    const own = name.replace(/^(?:invoke|create)_agent /, '');
    return own === attributes['gen_ai.request.model'] ? null : own;
  }
  if (attributes['openinference.span.kind'] === 'AGENT') return name;
  const entity = attributes['traceloop.entity.name'];
  return attributes['traceloop.span.kind'] === 'agent' ? (isText(entity) ? entity : name) : null;
}

export function stepOfSpan(span: Span, index: number): RecordedStep {
  const { attributes } = span;
  const kind = kindOfSpan(span);
  const first = (...names: string[]) => names.map((name) => attributes[name]).find(isText) ?? null;
  const tool = kind === 'tool' ? toolOf(attributes, span.events) : undefined;
  const agent = kind === 'tool' ? null : agentOf(span);
  return {
    id: span.id,
    parent: span.parent,
    kind,
    name: (kind === 'tool' && toolName(attributes)) || span.name,
    place: `spans[${index}] ("${quoteOutput(span.name, { length: 60 })}")`,
    ...(tool ?? spanMessages(attributes, span.events)),
    start: span.start,
    end: span.end,
    model: first('gen_ai.response.model', 'ai.response.model', 'llm.model_name', 'gen_ai.request.model', 'ai.model.id'),
    usage: kind === 'model' || agent !== null ? usageOf(attributes) : null,
    cost_usd: costOf(attributes),
    error: span.error,
    callId: kind === 'tool' ? callIdOfTool(attributes, span.events) : null,
    agent,
    provider: first('gen_ai.provider.name', 'gen_ai.system', 'llm.provider', 'llm.system', 'ai.model.provider'),
    finish: finishOf(attributes),
    responseId: kind === 'model' ? first('gen_ai.response.id', 'ai.response.id') : null,
    scope: span.scope,
  };
}

export function toolName(attributes: Attributes): string | undefined {
  const names = ['gen_ai.tool.name', 'ai.toolCall.name', 'tool.name', 'traceloop.entity.name'];
  return names.map((name) => attributes[name]).find(isText);
}

export function callIdOfTool(attributes: Attributes, events: readonly SpanEvent[] = []): string | null {
  const names = [
    'gen_ai.tool.call.id',
    'ai.toolCall.id',
    'tool_call.id',
    'tool.call.id',
    'gcp.vertex.agent.tool_call_id',
  ];
  const told = events.find(({ name }) => name === 'gen_ai.tool.message')?.attributes.id;
  return [...names.map((name) => attributes[name]), told].find(isText) ?? null;
}

function costOf(attributes: Attributes): number | null {
  const cost = Number(attributes['gen_ai.usage.cost'] ?? attributes['llm.cost.total'] ?? Number.NaN);
  return Number.isFinite(cost) && cost >= 0 ? cost : null;
}

function finishOf(attributes: Attributes): string | null {
  const given =
    parsed(attributes['gen_ai.response.finish_reasons'], 'finish_reasons') ?? attributes['ai.response.finishReason'];
  const [reason] = Array.isArray(given) ? given : [given];
  return isText(reason) ? finishReason(reason) : null;
}

const TOOL_FIELDS = [
  ['gen_ai.tool.call.arguments', 'gen_ai.tool.call.result'],
  ['ai.toolCall.args', 'ai.toolCall.result'],
  ['ai.toolCall.input', 'ai.toolCall.output'],
  ['gcp.vertex.agent.tool_call_args', 'gcp.vertex.agent.tool_response'],
  ['tool_arguments', 'tool_response'],
  ['input.value', 'output.value'],
  ['traceloop.entity.input', 'traceloop.entity.output'],
  ['mlflow.spanInputs', 'mlflow.spanOutputs'],
] as const;

function toolOf(
  attributes: Attributes,
  events: readonly SpanEvent[],
): Pick<RecordedStep, 'input' | 'output' | 'fields'> {
  const fields = TOOL_FIELDS.find((names) => names.some((name) => isTold(attributes[name])));
  if (fields === undefined) return toolOfEvents(events);
  const [input = null, output = null] = fields.map((name) => attributes[name]);
  const parameters = input ?? attributes['tool.parameters'] ?? null;
  return { input: parsed(parameters, fields[0]), output: parsed(output, fields[1]), fields };
}

/** The Agent Development Kit writes an empty object where it has nothing to say. */
function isTold(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '{}';
}

/** Strands tells what a tool was given and what it returned in events. */
function toolOfEvents(events: readonly SpanEvent[]): Pick<RecordedStep, 'input' | 'output' | 'fields'> {
  const fields = ['gen_ai.tool.message', 'gen_ai.choice'] as const;
  const [asked, answered] = fields.map((name) => events.find((event) => event.name === name)?.attributes);
  return {
    input: parsed(asked?.content ?? null, fields[0]),
    output: parsed(answered?.message ?? answered?.content ?? null, fields[1]),
    fields,
  };
}

function usageOf(attributes: Attributes): Usage | null {
  const tokens = (...names: string[]): number | undefined => {
    const value = names.map((name) => attributes[name]).find((each) => each !== undefined && each !== null);
    return value === undefined || !Number.isFinite(Number(value)) || Number(value) < 0 ? undefined : Number(value);
  };
  const given = {
    input_tokens: tokens(
      'gen_ai.usage.input_tokens',
      'gen_ai.usage.prompt_tokens',
      'llm.token_count.prompt',
      'ai.usage.inputTokens',
      'ai.usage.promptTokens',
    ),
    output_tokens: tokens(
      'gen_ai.usage.output_tokens',
      'gen_ai.usage.completion_tokens',
      'llm.token_count.completion',
      'ai.usage.outputTokens',
      'ai.usage.completionTokens',
    ),
    cache_read_tokens: tokens(
      'gen_ai.usage.cache_read.input_tokens',
      'gen_ai.usage.cache_read_input_tokens',
      'llm.token_count.prompt_details.cache_read',
      'ai.usage.cachedInputTokens',
    ),
    cache_write_tokens: tokens(
      'gen_ai.usage.cache_creation.input_tokens',
      'gen_ai.usage.cache_creation_input_tokens',
      'llm.token_count.prompt_details.cache_write',
    ),
  };
  return usageSchema.safeParse(given).data ?? null;
}
