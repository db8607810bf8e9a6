import { canonicalJson } from '../../../text/json/canonical-json.ts';
import { isRecord } from '../../../text/json/is-record.ts';
import type { AssistantMessage, Message, ToolCall } from '../../message.ts';
import { parseToolArguments } from '../../tool-arguments.ts';
import { toolOutputText } from '../tool-output.ts';
import type { TimedMessage } from './call-chains.ts';
import { parsed } from './recorded-messages.ts';
import type { RecordedStep } from './recorded-step.ts';

/** A tool that ran, as a step of the trace or a call within another tool says. */
export interface ToolRun {
  id: string | null;
  name: string;
  arguments: ToolCall['arguments'];
  raw_arguments?: string | undefined;
  /** Null if it is unknown. */
  result: string | null;
  is_error: boolean;
  time: number;
  /** Whether it ran within another tool. */
  isInner: boolean;
  /** The agent that called it, where that is known. */
  agent?: string | undefined;
}

export function toolRunOf(step: RecordedStep, isInner: boolean): ToolRun {
  const output = parsed(step.output, 'output');
  const message = isRecord(output) && isRecord(output.kwargs) ? output.kwargs : output;
  const isMessage = isRecord(message) && typeof message.tool_call_id === 'string';
  const text = isMessage ? toolOutputText(message.content) : toolOutputText(step.output);
  return {
    id: step.callId,
    name: step.name,
    ...parseToolArguments(step.input),
    result: resultOf(step, text),
    is_error: step.error !== null || (isMessage && message.status === 'error'),
    time: step.start ?? step.end ?? 0,
    isInner,
  };
}

/** A tool that ended has run, also if its result was not recorded. */
function resultOf({ error, output, end }: RecordedStep, text: string): string | null {
  if (text === '' && error !== null) return error;
  if (output !== null) return text;
  return end === null ? null : '[result not recorded]';
}

/** The calls that a model made within another tool. */
export function toolRunsIn(messages: readonly Message[], time: number): ToolRun[] {
  const results = new Map(
    messages.flatMap((message) => (message.role === 'tool_result' ? [[message.tool_call_id, message]] : [])),
  );
  return messages.flatMap((message) => {
    if (message.role !== 'assistant') return [];
    return message.tool_calls.map((call) => {
      const result = results.get(call.id);
      return { ...call, result: result?.content ?? null, is_error: result?.is_error ?? false, time, isInner: true };
    });
  });
}

/**
 * Adds what tools did to a conversation. A call that is in a message gets its result from the tool that ran for it: found
 * by id, else by name and arguments, else by name, so that no call is there twice. A tool that ran without such a call
 * is a call of the answer before it, and so are the calls of other conversations, `apart`.
 */
export function addToolSteps(
  messages: readonly TimedMessage[],
  runs: readonly ToolRun[],
  apart: readonly ToolRun[] = [],
): Message[] {
  const calls = messages.flatMap(({ message }) => (message.role === 'assistant' ? message.tool_calls : []));
  const runOf = new Map<ToolCall, ToolRun>();
  const match = (left: readonly ToolRun[], keyOfRun: KeyOf<ToolRun>, keyOfCall: KeyOf<ToolCall>): ToolRun[] => {
    const open = Map.groupBy(calls.filter((call) => !runOf.has(call)).reverse(), keyOfCall);
    return left.filter((run) => {
      const key = keyOfRun(run);
      const call = key === null ? undefined : open.get(key)?.pop();
      if (call) runOf.set(call, run);
      return call === undefined;
    });
  };
  let left = match(
    runs,
    ({ id }) => id,
    ({ id }) => id,
  );
  left = match(left, nameAndArguments, nameAndArguments);
  left = match(
    left,
    ({ name, isInner }) => (isInner ? null : name),
    ({ name }) => name,
  );
  return withResults(withRuns(messages, [...left, ...apart], runOf), runOf);
}

type KeyOf<T> = (of: T) => string | null;

function nameAndArguments({ name, arguments: args, raw_arguments }: ToolCall | ToolRun): string {
  return canonicalJson([name, args, raw_arguments]);
}

/** Adds calls to the last answers that were there when their tools ran, or as an answer of their own before all others. */
function withRuns(
  messages: readonly TimedMessage[],
  runs: readonly ToolRun[],
  runOf: Map<ToolCall, ToolRun>,
): Message[] {
  const answers = messages.flatMap(({ message, time }) => (message.role === 'assistant' ? [{ message, time }] : []));
  const byAgent = new Map(
    [...Map.groupBy(answers, ({ message }) => message.agent)].map(([agent, own]) => [agent, new Answers(own)]),
  );
  const all = new Answers(answers);
  const early: AssistantMessage = { role: 'assistant', content: null, tool_calls: [] };
  for (const [index, run] of runs.toSorted((a, b) => a.time - b.time).entries()) {
    const { name, arguments: args, raw_arguments, agent } = run;
    const call: ToolCall = {
      ...{ id: run.id ?? `tool_${index + 1}`, name, arguments: args },
      ...(raw_arguments === undefined ? {} : { raw_arguments }),
    };
    runOf.set(call, run);
    const own = agent === undefined ? undefined : byAgent.get(agent)?.before(run.time);
    (own ?? all.before(run.time) ?? early).tool_calls.push(call);
  }
  const list = messages.map(({ message }) => message);
  if (early.tool_calls.length === 0) return list;
  const first = list.findIndex(({ role }) => role === 'assistant');
  return list.toSpliced(first < 0 ? list.length : first, 0, early);
}

/** Answers in their order, to find the last one at a time without looking at all of them. */
class Answers {
  readonly #answers: readonly AssistantMessage[];
  /** For each answer the earliest time of it and of all that follow it: these times never go back. */
  readonly #earliest: number[] = [];

  constructor(answers: readonly { message: AssistantMessage; time: number }[]) {
    this.#answers = answers.map(({ message }) => message);
    let earliest = Number.POSITIVE_INFINITY;
    for (const { time } of answers.toReversed()) {
      earliest = Math.min(earliest, time);
      this.#earliest.push(earliest);
    }
    this.#earliest.reverse();
  }

  /** The last answer that was there at a time. */
  before(time: number): AssistantMessage | undefined {
    let low = 0;
    let high = this.#earliest.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#earliest[middle] ?? Number.POSITIVE_INFINITY) <= time) low = middle + 1;
      else high = middle;
    }
    return this.#answers[low - 1];
  }
}

/** Results that no message has come right after the answer that made the call, before what was said next. */
function withResults(messages: readonly Message[], runOf: ReadonlyMap<ToolCall, ToolRun>): Message[] {
  // Some models begin to count the ids of their calls again.
  const answered = new Map<string, number>();
  for (const message of messages) {
    if (message.role !== 'tool_result') continue;
    answered.set(message.tool_call_id, (answered.get(message.tool_call_id) ?? 0) + 1);
  }
  const whole: Message[] = [];
  let missing: Message[] = [];
  const flush = (): void => {
    // One by one: there may be more than a call can have arguments.
    for (const message of missing) whole.push(message);
    missing = [];
  };
  const errors = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'tool_result') flush();
    whole.push(
      message.role === 'tool_result' && errors.has(message.tool_call_id) ? { ...message, is_error: true } : message,
    );
    if (message.role !== 'assistant') continue;
    for (const call of message.tool_calls) {
      const run = runOf.get(call);
      if (run?.is_error) errors.add(call.id);
      const results = answered.get(call.id) ?? 0;
      if (results > 0) answered.set(call.id, results - 1);
      if (!run || run.result === null || results > 0) continue;
      const { result: content, is_error } = run;
      missing.push({ role: 'tool_result', tool_call_id: call.id, name: call.name, content, is_error });
    }
  }
  flush();
  return whole;
}
