import type { Usage } from '../usage.ts';

/** One step of what an agent did, as a tracing tool recorded it: an observation of Langfuse, a run of LangSmith. */
export interface RecordedStep {
  id: string;
  parent: string | null;
  /** `guard` and `evaluator` call models of their own, which are not the agent's. */
  kind: 'model' | 'tool' | 'guard' | 'evaluator' | 'other';
  name: string;
  /** How messages name it: `observations[2] (GENERATION "chat")`. */
  place: string;
  /** The names of input and output in the record. */
  fields: readonly [string, string];
  input: unknown;
  output: unknown;
  /** In milliseconds; null if unknown. */
  start: number | null;
  end: number | null;
  model: string | null;
  usage: Usage | null;
  cost_usd: number | null;
  /** What went wrong; null if nothing did. */
  error: string | null;
  /** The id of the model's call that this tool answered. */
  callId: string | null;
  /** The agent whose work it is, if it names one. What is within it is the agent's, too. */
  agent?: string | null | undefined;
  provider?: string | null | undefined;
  /** Why the model's answer ended, in the word of the provider. */
  finish?: string | null | undefined;
  /** The provider's id of the answer. Two steps that have the same one report the same call. */
  responseId?: string | null | undefined;
  /** The library that recorded it. */
  scope?: string | null | undefined;
}

/** A record with its steps. */
export interface RecordedTrace {
  /** What it is called in messages: "the Langfuse trace". */
  what: string;
  steps: RecordedStep[];
  /** Where the trace may say what it was asked and answered as a whole. */
  roots: Pick<RecordedStep, 'input' | 'output' | 'fields'>[];
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** A time of a record, as milliseconds since 1970. Without a time zone it is UTC, as tracing tools write it. */
export function milliseconds(time: unknown): number | null {
  const isLocal = typeof time === 'string' && /T[\d:.]+$/.test(time);
  const value = typeof time === 'string' ? Date.parse(isLocal ? `${time}Z` : time) : time;
  // No date is further away.
  return typeof value === 'number' && Math.abs(value) <= 8.64e15 ? value : null;
}

/** The step that all others are within; none if there are several. */
export function rootsOf(steps: readonly RecordedStep[]): RecordedStep[] {
  const ids = new Set(steps.map(({ id }) => id));
  const roots = steps.filter(({ parent }) => parent === null || !ids.has(parent));
  return roots.length === 1 ? roots : [];
}
