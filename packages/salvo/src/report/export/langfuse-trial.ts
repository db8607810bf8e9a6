import type { AssistantMessage, Message, Step } from '../../trace/message.ts';
import {
  beginningOf,
  type ExportedCall,
  type ExportedStep,
  type Interval,
  idOf,
  partsOf,
  type TrialToExport,
} from './exported-parts.ts';
import { factsOf } from './lost-fields.ts';
import { carriedByOpenAi, exportedMessages } from './openai-line.ts';

export type LangfuseRecord = Record<string, unknown> & { id: string };

/** A trial as Langfuse exports a trace. */
export interface LangfuseTrial {
  trace: LangfuseRecord;
  observations: (LangfuseRecord & { type: 'AGENT' | 'GENERATION' | 'TOOL' })[];
  scores: LangfuseRecord[];
}

export function langfuseTrial(trial: TrialToExport): LangfuseTrial {
  const { trace, result } = trial;
  const { steps, calls, times } = partsOf(trace);
  const asked = steps[0]?.before ?? trace.messages;
  const exchange = { input: exportedMessages(asked), output: trace.final_content };
  return {
    trace: {
      ...{ id: idOf(trial, 16), name: trial.scenario, timestamp: timeOf(trial, 0), sessionId: trial.run_id },
      ...exchange,
      ...{ tags: ['salvo', ...(result ? [result.status] : [])], metadata: factsOf(trial) },
    },
    observations: [
      {
        ...observation(trial, { type: 'AGENT', name: trial.adapter, id: agentId(trial), times }),
        ...exchange,
        ...levelOf(trace.error),
      },
      ...steps.map((step) => generation(trial, step)),
      ...calls.map((call, index) => tool(trial, call, index)),
    ],
    scores: scoresOf(trial),
  };
}

interface ObservationPlace<Type> {
  type: Type;
  name: string;
  id: string;
  times: Interval;
  parentObservationId?: string;
}

function observation<Type>(trial: TrialToExport, { times, ...place }: ObservationPlace<Type>) {
  return {
    ...{ ...place, parentObservationId: place.parentObservationId ?? null, traceId: idOf(trial, 16) },
    ...{ startTime: timeOf(trial, times.start), endTime: timeOf(trial, times.end) },
    ...(times.unknown.length === 0 ? {} : { metadata: { times_unknown: times.unknown } }),
  };
}

function generation(trial: TrialToExport, { answer, before, figures, times }: ExportedStep) {
  const model = figures.model ?? trial.trace.model;
  const id = idOf(trial, 8, 'chat', figures.turn);
  const place = { type: 'GENERATION' as const, name: `chat ${model}`, id, times, parentObservationId: agentId(trial) };
  const [output] = exportedMessages([answer]);
  const { reasoning } = answer;
  return {
    ...observation(trial, place),
    model,
    input: exportedMessages(before),
    output: { ...output, ...(reasoning === undefined ? {} : { reasoning_content: reasoning }) },
    usageDetails: usageOf(figures, answer),
    costDetails: figures.cost_usd === null ? {} : { total: figures.cost_usd },
  };
}

/** Langfuse adds kinds of tokens up, so those of the cache are not counted as `input`, too. */
function usageOf({ input_tokens, output_tokens }: ExportedStep['figures'], { step }: AssistantMessage) {
  const { cache_read_tokens = 0, cache_write_tokens = 0 } = step ?? {};
  const cached = Math.min(input_tokens ?? 0, cache_read_tokens + cache_write_tokens);
  return {
    ...(input_tokens === null ? {} : { input: input_tokens - cached }),
    ...(cached > 0 ? { input_cache_read: Math.min(cached, cache_read_tokens) } : {}),
    ...(cached > cache_read_tokens ? { input_cache_creation: cached - cache_read_tokens } : {}),
    ...(output_tokens === null ? {} : { output: output_tokens }),
  };
}

function tool(trial: TrialToExport, { call, times }: ExportedCall, index: number) {
  const id = idOf(trial, 8, 'call', index);
  const place = { type: 'TOOL' as const, name: call.name, id, times, parentObservationId: agentId(trial) };
  const { metadata } = observation(trial, place);
  // The names by which Langfuse itself and others find the call.
  const attributes = { 'gen_ai.tool.name': call.name, 'gen_ai.tool.call.id': call.id };
  return {
    ...observation(trial, place),
    ...{ input: call.arguments, output: call.result, metadata: { ...metadata, attributes } },
    ...levelOf(call.is_error ? (call.result ?? '') : null),
  };
}

function scoresOf(trial: TrialToExport): LangfuseRecord[] {
  const { result } = trial;
  if (result === null) return [];
  const traceId = idOf(trial, 16);
  const of = (name: string, value: number | string, comment: string | null, metadata = {}): LangfuseRecord => ({
    ...{ id: idOf(trial, 16, 'score', name, typeof value), traceId, name, value, metadata },
    dataType: typeof value === 'number' ? 'NUMERIC' : 'CATEGORICAL',
    ...(comment === null || comment === '' ? {} : { comment }),
  });
  return [
    of('salvo.status', result.status, result.error_message),
    ...(result.score === null || result.status === 'unscored' ? [] : [of('salvo.score', result.score, null)]),
    ...result.eval_results.map(({ assertion_id, status, score, details, ...about }) => {
      const { assertion_type: type, passed, weight, required } = about;
      const value = status === 'scored' ? score : 'unscored';
      return of(assertion_id, value, details, { type, weight, required, ...(status === 'scored' ? { passed } : {}) });
    }),
  ];
}

const EVENTS = { AGENT: 'agent-create', GENERATION: 'generation-create', TOOL: 'tool-create' } as const;

/** The events with which Langfuse is told of a trial. Their ids are always the same, so sending them again doubles nothing. */
export function langfuseEvents(trial: TrialToExport): LangfuseRecord[] {
  const { trace, observations, scores } = langfuseTrial(trial);
  const timestamp = timeOf(trial, 0);
  const event = (type: string, body: LangfuseRecord): LangfuseRecord => {
    return { id: idOf(trial, 16, 'event', type, JSON.stringify(body)), type, timestamp, body };
  };
  return [
    event('trace-create', trace),
    ...observations.map(({ type, ...body }) => event(EVENTS[type], body)),
    ...scores.map((score) => event('score-create', score)),
  ];
}

function levelOf(problem: string | null): object {
  return problem === null ? {} : { level: 'ERROR', statusMessage: problem };
}

function timeOf({ trace }: TrialToExport, seconds: number): string {
  return new Date(beginningOf(trace) + Math.round(seconds * 1000)).toISOString();
}

function agentId(trial: TrialToExport): string {
  return idOf(trial, 8, 'agent');
}

/** What generations have in OpenAI's form, with what they have beside it. Nothing has what was said after the last answer. */
export function carriedByLangfuse(messages: readonly Message[]): Message[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return carriedByOpenAi(messages.slice(0, last < 0 ? messages.length : last + 1)).map((carried, index) => {
    const message = messages[index];
    if (carried.role === 'tool_result' && message?.role === 'tool_result') {
      return { ...carried, is_error: message.is_error };
    }
    if (carried.role !== 'assistant' || message?.role !== 'assistant') return carried;
    const { reasoning, step } = message;
    return {
      ...carried,
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(step === undefined ? {} : { step: carriedFigures(step) }),
    };
  });
}

/** Times have milliseconds. Tokens of the input without those of the output, or the other way, are none in Langfuse. */
function carriedFigures({ model, latency_seconds, input_tokens, output_tokens, cost_usd }: Step): Step {
  return {
    ...(model === undefined ? {} : { model }),
    ...(latency_seconds === undefined ? {} : { latency_seconds: Math.round(latency_seconds * 1000) / 1000 }),
    ...(input_tokens === undefined || output_tokens === undefined ? {} : { input_tokens, output_tokens }),
    ...(cost_usd === undefined ? {} : { cost_usd }),
  };
}
