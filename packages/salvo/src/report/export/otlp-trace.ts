import { attributesOfRest } from '../../imports/formats/salvo-otel.ts';
import { salvoVersion } from '../../text/modules/salvo-version.ts';
import type { AssistantMessage, Message } from '../../trace/message.ts';
import { otelMessages } from '../../trace/write/otel-messages.ts';
import { evaluationEvents } from './evaluation-events.ts';
import {
  beginningOf,
  type ExportedCall,
  type ExportedStep,
  type Interval,
  idOf,
  outcomeOf,
  partsOf,
  type TrialToExport,
} from './exported-parts.ts';
import { type Attributes, type OtlpSpan, otlpAttributes, unixNano } from './otlp-span.ts';

/** The version of OpenTelemetry's conventions for generative AI whose names the spans have. */
export const CONVENTIONS = 'https://opentelemetry.io/schemas/gen-ai/1.42.0';

/** What an exporter of OpenTelemetry sends: an ExportTraceServiceRequest in OTLP's JSON. */
interface OtlpRequest {
  resourceSpans: object[];
}

const INTERNAL = 1;
const CLIENT = 3;

/** The spans of a trial: the agent, and within it each call of its model and each tool. */
export function otlpRequest(trial: TrialToExport): OtlpRequest {
  const { steps, calls, times } = partsOf(trial.trace);
  const spans = [
    agentSpan(trial, times),
    ...steps.map((step) => chatSpan(trial, step)),
    ...calls.map((call, index) => toolSpan(trial, call, index)),
  ];
  const version = salvoVersion();
  const resource = { attributes: otlpAttributes({ 'service.name': 'salvo', 'service.version': version }) };
  const scopeSpans = [{ scope: { name: 'salvo', version }, spans, schemaUrl: CONVENTIONS }];
  return { resourceSpans: [{ resource, scopeSpans, schemaUrl: CONVENTIONS }] };
}

function agentSpan(trial: TrialToExport, times: Interval): OtlpSpan {
  const { trace, adapter } = trial;
  const attributes: Attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': adapter,
    'gen_ai.conversation.id': idOf(trial, 16),
    ...modelAttributes(trial, trace.model),
    'gen_ai.response.finish_reasons': [trace.finish_reason],
    'gen_ai.usage.input_tokens': trace.input_tokens,
    'gen_ai.usage.output_tokens': trace.output_tokens,
    ...messageAttributes(trace.messages),
    'error.type': trace.error === null ? null : (trace.error_code ?? '_OTHER'),
    'salvo.cost_usd': trace.cost_usd,
    ...Object.fromEntries(Object.entries(outcomeOf(trial)).map(([name, value]) => [`salvo.${name}`, value])),
  };
  return {
    ...spanOf(trial, { name: `invoke_agent ${adapter}`, kind: INTERNAL, times, id: rootId(trial), parent: '' }),
    attributes: otlpAttributes({ ...attributes, ...attributesOfRest(trace, attributes), ...timeAttributes(times) }),
    events: evaluationEvents(trial.result, timeOf(trial, times.end)),
    ...statusOf(trace.error),
  };
}

/** The last answer is the output, if nothing was said after it. */
function messageAttributes(messages: readonly Message[]): Attributes {
  const end = messages.at(-1)?.role === 'assistant' ? -1 : messages.length;
  return {
    'gen_ai.input.messages': JSON.stringify(otelMessages(messages.slice(0, end))),
    ...(end < 0 ? { 'gen_ai.output.messages': JSON.stringify(otelMessages(messages.slice(end))) } : {}),
  };
}

function chatSpan(trial: TrialToExport, { answer, before, figures, times }: ExportedStep): OtlpSpan {
  const model = figures.model ?? trial.trace.model;
  const { cache_read_tokens, cache_write_tokens } = answer.step ?? {};
  const attributes: Attributes = {
    'gen_ai.operation.name': 'chat',
    ...modelAttributes(trial, model),
    'gen_ai.agent.name': figures.agent,
    'gen_ai.conversation.id': idOf(trial, 16),
    'gen_ai.input.messages': JSON.stringify(otelMessages(before)),
    'gen_ai.output.messages': JSON.stringify(otelMessages([answer])),
    'gen_ai.response.finish_reasons': finishReasons(trial, answer),
    'gen_ai.usage.input_tokens': figures.input_tokens,
    'gen_ai.usage.output_tokens': figures.output_tokens,
    'gen_ai.usage.cache_read.input_tokens': cache_read_tokens,
    'gen_ai.usage.cache_creation.input_tokens': cache_write_tokens,
    'salvo.cost_usd': figures.cost_usd,
    'salvo.turn': figures.turn,
    ...timeAttributes(times),
  };
  const place = { name: `chat ${model}`, kind: CLIENT, times, id: stepId(trial, figures.turn), parent: rootId(trial) };
  return { ...spanOf(trial, place), attributes: otlpAttributes(attributes) };
}

/** Nobody recorded why a model ended an answer before the last one, unless it called tools. */
function finishReasons({ trace }: TrialToExport, answer: AssistantMessage): string[] | null {
  if (answer === trace.messages.findLast(({ role }) => role === 'assistant')) return [trace.finish_reason];
  return answer.tool_calls.length > 0 ? ['tool_call'] : null;
}

function toolSpan(trial: TrialToExport, { call, times }: ExportedCall, index: number): OtlpSpan {
  const error = trial.trace.tool_errors.find(
    ({ tool_call_id, turn }) => tool_call_id === call.id && turn === call.turn,
  );
  const attributes: Attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': call.name,
    'gen_ai.tool.call.id': call.id,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.arguments': JSON.stringify(call.arguments),
    'gen_ai.tool.call.result': call.result,
    'error.type': error?.kind ?? (call.is_error ? '_OTHER' : null),
    'salvo.turn': call.turn,
    'salvo.seen': call.seen,
    ...timeAttributes(times),
  };
  const id = idOf(trial, 8, 'call', index);
  const place = { name: `execute_tool ${call.name}`, kind: INTERNAL, times, id, parent: rootId(trial) };
  const problem = error?.message ?? (call.is_error ? (call.result ?? '') : null);
  return { ...spanOf(trial, place), attributes: otlpAttributes(attributes), ...statusOf(problem) };
}

function modelAttributes({ trace }: TrialToExport, model: string): Attributes {
  return {
    'gen_ai.provider.name': trace.provider,
    'gen_ai.request.model': trace.asked_model ?? model,
    'gen_ai.response.model': model,
  };
}

/** Times that nobody recorded are marked. */
function timeAttributes({ unknown }: Interval): Attributes {
  return { 'salvo.times.unknown': unknown.length === 0 ? null : unknown };
}

interface SpanPlace {
  id: string;
  /** Empty for the root. */
  parent: string;
  name: string;
  kind: number;
  times: Interval;
}

function spanOf(trial: TrialToExport, { id, parent, name, kind, times }: SpanPlace): Omit<OtlpSpan, 'attributes'> {
  return {
    ...{ traceId: idOf(trial, 16), spanId: id, ...(parent === '' ? {} : { parentSpanId: parent }) },
    ...{ name: name.toWellFormed(), kind },
    startTimeUnixNano: timeOf(trial, times.start),
    endTimeUnixNano: timeOf(trial, times.end),
  };
}

function timeOf({ trace }: TrialToExport, seconds: number): string {
  return unixNano(beginningOf(trace), seconds);
}

function statusOf(problem: string | null): Pick<OtlpSpan, 'status'> {
  return problem === null ? {} : { status: { code: 2, message: problem.toWellFormed() } };
}

function rootId(trial: TrialToExport): string {
  return idOf(trial, 8, 'agent');
}

function stepId(trial: TrialToExport, turn: number): string {
  return idOf(trial, 8, 'chat', turn);
}
