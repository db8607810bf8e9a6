import { hash } from 'node:crypto';
import type { AssistantMessage, Message } from '../../trace/message.ts';
import { stepsOf, type TraceStep } from '../../trace/steps-of.ts';
import type { ToolCallRecord, Trace } from '../../trace/trace.ts';
import type { TrialResult } from '../../trial/trial-result.ts';

/** A tool that the agent could call, as its scenario describes it. */
interface ToolToExport {
  name: string;
  description?: string | undefined;
  parameters?: unknown;
}

/** A stored trial with its trace, and what is needed to write it in a form of others. */
export interface TrialToExport {
  run_id: string;
  scenario: string;
  file: string;
  adapter: string;
  model: string;
  case_index: number;
  case: string | null;
  trial_number: number;
  result: TrialResult | null;
  trace: Trace;
  tools: readonly ToolToExport[];
}

/** One answer of a model, with everything that was said before it. */
export interface ExportedStep {
  answer: AssistantMessage;
  /** The content of a file is only in the first step that has it: it may be large, and the steps many. */
  before: Message[];
  figures: TraceStep;
  times: Interval;
}

/** A tool that was executed. */
export interface ExportedCall {
  call: ToolCallRecord;
  times: Interval;
}

export interface ExportedParts {
  steps: ExportedStep[];
  calls: ExportedCall[];
  /** Of the whole trial. */
  times: Interval;
}

/** When something began and ended, in seconds since the trial began. */
export interface Interval {
  start: number;
  end: number;
  /** Which of the two nobody recorded. */
  unknown: ('start' | 'end')[];
}

/**
 * The answers and the executed calls of a trial, each with its times. A start that nobody recorded is the end of what was
 * before it; an end that nobody recorded is the start. No trace has times of tools, so they take none.
 */
export function partsOf(trace: Trace): ExportedParts {
  const begun = new Map(trace.turns?.map(({ turn, started_seconds }) => [turn, started_seconds]));
  const calls = trace.tool_calls_made.filter(({ seen, result }) => seen !== 'requested' || result !== null);
  const byTurn = Map.groupBy(calls, ({ turn }) => turn);
  const parts: ExportedParts = { steps: [], calls: [], times: { start: 0, end: 0, unknown: [] } };
  let at = 0;
  const addCalls = (turn: number): void => {
    const times: Interval = { start: at, end: at, unknown: ['start', 'end'] };
    for (const call of byTurn.get(turn) ?? []) parts.calls.push({ call, times });
    byTurn.delete(turn);
  };
  for (const { answer, before, figures } of answersOf(trace)) {
    const times = intervalOf(begun.get(figures.turn), figures.latency_seconds, at);
    parts.steps.push({ answer, before, figures, times });
    at = Math.max(at, times.end);
    addCalls(figures.turn);
  }
  for (const turn of [...byTurn.keys()]) addCalls(turn);
  parts.times = { ...intervalOf(0, trace.latency_seconds, 0), unknown: unknownOf(trace) };
  parts.times.end = Math.max(parts.times.end, at);
  return parts;
}

function answersOf(trace: Trace): Omit<ExportedStep, 'times'>[] {
  const figures = stepsOf(trace);
  const places = trace.messages.flatMap((message, index) => (message.role === 'assistant' ? [{ message, index }] : []));
  // Earlier answers are those that the scenario gives.
  return places.slice(places.length - figures.length).flatMap(({ message, index }, at) => {
    const own = figures[at];
    const known = at === 0 ? 0 : (places[places.length - figures.length + at - 1]?.index ?? 0);
    const before = trace.messages.slice(0, index).map((each, place) => (place < known ? withoutContent(each) : each));
    return own ? [{ answer: message, before, figures: own }] : [];
  });
}

function withoutContent(message: Message): Message {
  if (message.role === 'system' || message.files === undefined) return message;
  return { ...message, files: message.files.map(({ data: _, ...file }) => file) };
}

function intervalOf(start: number | undefined, seconds: number | null, at: number): Interval {
  const begin = start ?? at;
  const unknown: Interval['unknown'] = [
    ...(start === undefined ? (['start'] as const) : []),
    ...(seconds === null ? (['end'] as const) : []),
  ];
  return { start: begin, end: begin + (seconds ?? 0), unknown };
}

function unknownOf({ timestamp, latency_seconds }: Trace): Interval['unknown'] {
  const isUnknown = Date.parse(timestamp) === 0 || Number.isNaN(Date.parse(timestamp));
  return [...(isUnknown ? (['start'] as const) : []), ...(latency_seconds === null ? (['end'] as const) : [])];
}

/** Milliseconds since 1970 at which the trial began; 0 if that is not known. */
export function beginningOf({ timestamp }: Pick<Trace, 'timestamp'>): number {
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? 0 : time;
}

/**
 * An id in hex that is always the same for the same trial and the same words: who exports twice, doubles nothing. The trace's
 * own id is not enough, because trials of several runs can have the same trace.
 */
export function idOf(trial: TrialToExport, bytes: number, ...words: (string | number)[]): string {
  const { run_id, file, scenario, adapter, model, case_index, trial_number, result } = trial;
  const place = [run_id, file, scenario, adapter, model, case_index, trial_number, result?.trace_id ?? null];
  return hash('sha256', JSON.stringify([...place, ...words]), 'hex').slice(0, bytes * 2);
}

/** The verdict on a trial and where it is stored, under the names of `--json`. */
export function outcomeOf(trial: TrialToExport): Record<string, string | number | boolean | null> {
  const { run_id, scenario, file, result } = trial;
  return {
    ...{ run_id, scenario, file, adapter: trial.adapter, model: trial.model },
    ...{ case: trial.case, case_index: trial.case_index, trial: trial.trial_number },
    ...{ status: result?.status ?? null, passed: result?.passed ?? null, score: result?.score ?? null },
  };
}
