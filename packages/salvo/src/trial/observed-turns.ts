import type { Observation } from '../adapters/observe/observation.ts';
import type { AssistantMessage, Message } from '../trace/message.ts';
import { toolCallsOf } from '../trace/tool-calls-of.ts';
import type { ToolCallRecord, Trace, TurnRecord } from '../trace/trace.ts';
import { mergeToolCalls, withResults } from './merge-tool-calls.ts';

/** What was recorded in one turn, and where in the messages of the trace the agent's own account of it is. */
export interface ObservedTurn {
  observation: Observation;
  from: number;
  to: number;
  isEnded: boolean;
}

type Mark = (call: ToolCallRecord) => ToolCallRecord;

/**
 * The trace of an agent that was observed: what was recorded, and what the agent says itself, as one conversation in which no
 * call is there twice. Pure; the agent was told only what it had said itself.
 */
export function withObservedTurns(trace: Trace, turns: readonly ObservedTurn[], mark: Mark): Trace {
  const merged = new MergedTrace(trace, mark);
  for (const turn of turns) merged.add(turn);
  return { ...merged.finish(), ...seenBy(turns.map(({ observation }) => observation)) };
}

class MergedTrace {
  readonly #trace: Trace;
  readonly #mark: Mark;
  readonly #messages: Message[] = [];
  readonly #calls: ToolCallRecord[] = [];
  readonly #turns: TurnRecord[] = [];
  /** The new id and turn of calls, by the id that the agent's account has. */
  readonly #moved = new Map<string, { id: string; turn: number }>();
  /** How many messages and turns of the agent's account were added. */
  #taken = { messages: 0, turns: 0 };
  #turnCount = 0;

  constructor(trace: Trace, mark: Mark) {
    this.#trace = trace;
    this.#mark = mark;
  }

  add({ observation, from, to }: ObservedTurn): void {
    this.#take(from);
    const own = this.#trace.messages.slice(from, to);
    const first = this.#taken.turns + 1;
    const last = this.#taken.turns + answersIn(own);
    const ownCalls = this.#trace.tool_calls_made.filter(({ turn }) => turn >= first && turn <= last);
    this.#taken = { messages: to, turns: last };
    const { messages } = observation.joined;
    if (answersIn(messages) === 0) this.#keep(own, ownCalls, first);
    else this.#merge(own, ownCalls, observation);
  }

  finish(): Trace {
    this.#take(this.#trace.messages.length);
    const { turns } = this.#trace;
    return {
      ...this.#trace,
      messages: this.#messages,
      tool_calls_made: this.#calls,
      turn_count: this.#turnCount,
      tool_errors: this.#trace.tool_errors.map((error) => {
        const moved = this.#moved.get(error.tool_call_id);
        return moved ? { ...error, tool_call_id: moved.id, turn: moved.turn } : error;
      }),
      ...(turns ? { turns: this.#turns } : {}),
    };
  }

  /** Messages between turns: those of the user, and history. */
  #take(until: number): void {
    for (const message of this.#trace.messages.slice(this.#taken.messages, until)) this.#messages.push(message);
    this.#taken.messages = Math.max(this.#taken.messages, until);
  }

  /** Nothing was recorded: the agent's own account. */
  #keep(own: readonly Message[], calls: readonly ToolCallRecord[], first: number): void {
    const shift = this.#turnCount + 1 - first;
    for (const message of own) this.#messages.push(message);
    for (const call of calls) this.#calls.push({ ...call, turn: call.turn + shift });
    const ofTurn = this.#trace.turns?.filter(({ turn }) => turn >= first && turn < first + Math.max(1, answersIn(own)));
    for (const turn of ofTurn ?? []) this.#turns.push({ ...turn, turn: turn.turn + shift });
    this.#turnCount += answersIn(own);
  }

  #merge(own: readonly Message[], ownCalls: readonly ToolCallRecord[], observation: Observation): void {
    const recorded = observation.joined.messages;
    const { unreported, reported } = mergeToolCalls(ownCalls, toolCallsOf(recorded), this.#mark);
    // Calls that no model asked for, such as those of code before the first request.
    const kept = messagesOfCalls(own, new Set(unreported.map(({ id }) => id)));
    const before = this.#turnCount + answersIn(kept);
    const calls = reported.map((call) => ({ ...seenCall(call, observation.by), turn: call.turn + before }));
    const answer = ownAnswer(own, recorded);
    for (const message of [...kept, ...withResults(recorded, calls), ...answer]) this.#messages.push(message);
    for (const [index, call] of unreported.entries()) this.#calls.push({ ...call, turn: this.#turnCount + index + 1 });
    for (const call of calls) this.#calls.push(call);
    this.#note(ownCalls, [...unreported, ...calls]);
    this.#addSteps(observation, before);
    this.#turnCount = before + answersIn(recorded) + answer.length;
  }

  /** Problems of mocked calls refer to ids and turns. */
  #note(ownCalls: readonly ToolCallRecord[], merged: readonly ToolCallRecord[]): void {
    const left = new Set(merged);
    for (const own of ownCalls) {
      const same = [...left].find((call) => call.name === own.name && call.arguments === own.arguments);
      if (!same) continue;
      left.delete(same);
      this.#moved.set(own.id, same);
    }
  }

  #addSteps({ joined }: Observation, before: number): void {
    const began = Date.parse(this.#trace.timestamp);
    let answer = 1;
    for (const step of joined.steps) {
      answer = step.answer ?? answer;
      const { start, end, usage } = step;
      this.#turns.push({
        turn: before + answer,
        started_seconds: start === null ? 0 : Math.max(0, start - began) / 1000,
        latency_seconds: start === null || end === null ? null : Math.max(0, end - start) / 1000,
        input_tokens: usage?.input_tokens ?? null,
        output_tokens: usage?.output_tokens ?? null,
        cost_usd: step.costUsd,
      });
    }
  }
}

function answersIn(messages: readonly Message[]): number {
  return messages.filter(({ role }) => role === 'assistant').length;
}

/** A recorder sees that the model asked for a call. A result is seen if a later request or a span has it. */
function seenCall(call: ToolCallRecord, by: Observation['by']): ToolCallRecord {
  if (call.seen === 'reported') return { ...call, seen: 'observed' };
  return call.seen === 'requested' && call.result === null && by === 'model' ? { ...call, seen: 'observed' } : call;
}

/** The messages that make or answer one of the calls. */
function messagesOfCalls(messages: readonly Message[], ids: ReadonlySet<string>): Message[] {
  return messages.flatMap((message): Message[] => {
    if (message.role === 'tool_result') return ids.has(message.tool_call_id) ? [message] : [];
    if (message.role !== 'assistant') return [];
    const tool_calls = message.tool_calls.filter(({ id }) => ids.has(id));
    return tool_calls.length === 0 ? [] : [{ ...message, content: null, tool_calls }];
  });
}

/** What the agent answered, if it is not what its model said last. */
function ownAnswer(own: readonly Message[], recorded: readonly Message[]): AssistantMessage[] {
  const last = (messages: readonly Message[]) => messages.findLast((message) => message.role === 'assistant');
  const content = last(own)?.content?.trim() ?? '';
  if (content === '' || last(recorded)?.content?.trim() === content) return [];
  return [{ role: 'assistant', content: last(own)?.content ?? null, tool_calls: [] }];
}

/** How the calls of the trial are known. A turn without any request may be one that the agent answered from memory. */
function seenBy(observations: readonly Observation[]): Pick<Trace, 'tools_seen' | 'observed'> {
  const isRecorded = ({ joined }: Observation): boolean => joined.steps.length > 0 || joined.messages.length > 0;
  const recorded = observations.filter(isRecorded);
  const problem = (recorded.length > 0 ? recorded : observations).find((each) => each.problem !== null)?.problem;
  const [first] = observations;
  return {
    tools_seen: problem ? 'unknown' : 'observed',
    observed: {
      by: first?.by ?? 'model',
      model_calls: observations.reduce((sum, { joined }) => sum + joined.steps.length, 0),
      conversations: Math.max(0, ...observations.map(({ joined }) => joined.conversations)),
      ...(observations.some(({ alone }) => alone) ? { alone: true } : {}),
      ...(problem ? { problem } : {}),
    },
  };
}
