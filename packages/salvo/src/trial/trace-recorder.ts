import type { AdapterTurnResult, Usage } from '../adapters/adapter.ts';
import { answeringModel } from '../adapters/call/answering-model.ts';
import type { Observation } from '../adapters/observe/observation.ts';
import { usageOf } from '../models/budget/call-cost.ts';
import { type Cost, createCostSum, UNKNOWN_CALL } from '../stats/cost.ts';
import { createRunningSum, sumOrUnknown } from '../stats/sum-or-unknown.ts';
import type { ErrorCode } from '../text/errors/error-codes.ts';
import { agentCostFields } from '../trace/cost-fields.ts';
import {
  assistantMessage,
  finalContent,
  lastAnswer,
  type Message,
  type MessageFile,
  type ToolCall,
} from '../trace/message.ts';
import { toolCallsOf } from '../trace/tool-calls-of.ts';
import { seenInTrial } from '../trace/tools-seen.ts';
import type { RetryRecord, ToolCallRecord, ToolError, Trace, TurnRecord } from '../trace/trace.ts';
import { type Counted, joinReported, type MarkReported } from './merge-tool-calls.ts';
import type { ObservedTurn } from './observed-turns.ts';
import type { RecordedTime } from './recorded-time.ts';
import type { ToolOutcome } from './tools/tool-source.ts';

export interface TraceHeader {
  model: string;
  provider: string;
  scenario_hash: string;
  timestamp: string;
}

/** Why a trial ended before the agent finished. */
export interface StopReason {
  reason: string;
  /** The trace's `error_code`. */
  code: ErrorCode;
  message: string;
  /** Where the agent's code threw. */
  stack?: string | undefined;
}

/** What a mock answered, with the content of its files. */
export interface RecordedOutcome extends Omit<ToolOutcome, 'files'> {
  files?: MessageFile[] | undefined;
  /** The text of the record, if it is not `content`. */
  recorded?: string | undefined;
  /** Of the tool, if it is known. */
  effect?: ToolCallRecord['effect'];
}

/** Records what happens in one trial, and makes its trace. */
export class TraceRecorder {
  readonly messages: Message[] = [];
  readonly #header: TraceHeader;
  readonly #elapsedSeconds: () => number;
  #toolCalls: ToolCallRecord[] = [];
  readonly #toolErrors: ToolError[] = [];
  readonly #markReported: MarkReported;
  readonly #answers = { reported: false, text: false };
  #isDeclared = false;
  /** The ids of the calls in what the agent was given. They are not its own, even if it reports them. */
  readonly #givenCalls = new Set<string>();
  readonly #retries: RetryRecord[] = [];
  readonly #turnRecords: TurnRecord[] = [];
  /** Null while nobody waits for an answer. */
  #askedAt: number | null = null;
  #turns = 0;
  readonly #inputTokens = createRunningSum();
  readonly #outputTokens = createRunningSum();
  readonly #cost = createCostSum();
  #finishReason = 'none';
  #finalContent: string | null = null;
  /** Set if the conversation was not held now. */
  #recordedTime: RecordedTime | null = null;
  #model: string;
  /** The provider answered with another model than the one that was asked for. */
  #isOtherModel = false;
  readonly #observed: ObservedTurn[] = [];
  #hasFailedTurn = false;
  /** How many messages, tool calls and turns there were when the agent was last asked. */
  #asked: Counted = { messages: 0, toolCalls: 0, turns: 0 };

  /** `elapsedSeconds`: since the beginning of the trial. */
  constructor(header: TraceHeader, elapsedSeconds: () => number, markReported: MarkReported = (call) => call) {
    this.#header = header;
    this.#elapsedSeconds = elapsedSeconds;
    this.#markReported = markReported;
    this.#model = header.model;
  }

  get turns(): number {
    return this.#turns;
  }

  /** What was recorded in each turn of an agent that is observed. */
  get observedTurns(): readonly ObservedTurn[] {
    return this.#observed;
  }

  send(messages: Message[]): void {
    this.#endObserved(this.messages.length);
    this.messages.push(...messages);
    for (const { id } of toolCallsOf(messages)) this.#givenCalls.add(id);
    this.#markAsked();
  }

  /** The agent is asked for its next answer. */
  ask(): void {
    this.#askedAt = this.#elapsedSeconds();
  }

  retry(record: Omit<RetryRecord, 'turn'>): void {
    this.#retries.push({ turn: this.#turns + 1, ...record });
  }

  /** A request that got no answer, or whose answer cannot be used, but that may have been charged. */
  unknownCost(): void {
    this.#count(null, UNKNOWN_CALL);
  }

  /** What was recorded in a turn that failed. It is not the end of the trial if the turn is repeated. */
  failedTurn(observation: Observation): void {
    this.#beginObserved(observation);
    this.#hasFailedTurn = true;
    const { usage, costUsd, joined } = observation;
    if (joined.steps.length > 0) this.#count(usage, costUsd === null ? UNKNOWN_CALL : { usd: costUsd });
  }

  /** `costUsd` is null if it is unknown. `recorded` is the time of a conversation that was not held now. */
  turn(result: AdapterTurnResult, costUsd: number | null, recorded: RecordedTime | null = null): void {
    this.#recordedTime = recorded;
    if (result.observed) this.#beginObserved(result.observed);
    this.#hasFailedTurn = false;
    const whole = result.trace;
    const usage = usageOf(result);
    this.#answered(usage, costUsd);
    this.#finishReason = whole?.finish_reason ?? result.finish_reason;
    this.#finalContent = whole?.final_content ?? null;
    this.#model = whole?.model ?? result.model ?? this.#model;
    // A whole agent chooses its models itself.
    if (!whole && result.tools_reported === undefined && result.model !== undefined) {
      this.#isOtherModel ||= answeringModel(this.#header.model, result.model) !== undefined;
    }
    this.#isDeclared ||= result.tools_declared === true;
    const mark: MarkReported = result.imported ? (call) => call : this.#markReported;
    if (whole || result.messages || result.tools_reported === 'calls') this.#answers.reported = true;
    else if (result.tools_reported === 'text') this.#answers.text = true;
    const ownHistory = result.observed !== undefined;
    if (whole) this.#addReported(whole.messages, { open: [], mark, ownHistory });
    else if (result.messages) this.#addReported(result.messages, { open: result.tool_calls, mark, ownHistory });
    else this.#addAnswer(result);
    this.#markAsked();
    this.#count(usage, costUsd === null ? UNKNOWN_CALL : { usd: costUsd });
  }

  /** What an agent said before it failed. Nobody knows what it would have said, and what it cost. */
  partial(result: AdapterTurnResult): void {
    const messages = result.trace?.messages ?? result.messages;
    if (messages) this.#addReported(messages, { open: result.tool_calls, mark: this.#markReported, ownHistory: false });
    else this.#addAnswer(result);
  }

  /** A call of the agent's last turn, and what the mocks answered. */
  toolCall(call: ToolCall, outcome: RecordedOutcome): void {
    this.#record(call, outcome);
    this.#markAsked();
  }

  /** A call by an agent in this process, outside of our turns. */
  agentToolCall(call: ToolCall, outcome: RecordedOutcome): void {
    this.#turns += 1;
    this.messages.push({ role: 'assistant', content: null, tool_calls: [call] });
    this.#record(call, outcome);
  }

  finish(end: {
    latencySeconds: number;
    maxTurnsHit: boolean;
    stopped?: StopReason | undefined;
    agentLog?: string | undefined;
  }): Trace {
    const { stopped, agentLog } = end;
    const recorded = this.#recordedTime;
    const isCut = end.maxTurnsHit || stopped !== undefined;
    this.#answered(null, null);
    // What an agent spent before it failed is not known.
    if (stopped?.code.startsWith('AGENT_') && !this.#hasFailedTurn) this.unknownCost();
    this.#endObserved(this.messages.length);
    const [input, output] = [this.#inputTokens.total(), this.#outputTokens.total()];
    return {
      messages: this.messages,
      tool_calls_made: this.#toolCalls,
      tools_seen: seenInTrial(this.#answers, this.#toolCalls),
      ...(this.#isDeclared ? { tools_declared: true } : {}),
      turn_count: this.#turns,
      input_tokens: input,
      output_tokens: output,
      total_tokens: sumOrUnknown([input, output]),
      latency_seconds: recorded ? recorded.latency_seconds : end.latencySeconds,
      // An agent that was stopped at work has not answered yet.
      final_content: this.#finalContent ?? (isCut ? lastAnswer(this.messages) : finalContent(this.messages)),
      finish_reason: stopped?.reason ?? this.#finishReason,
      model: this.#model,
      ...(this.#isOtherModel ? { asked_model: this.#header.model } : {}),
      provider: this.#header.provider,
      timestamp: recorded?.timestamp ?? this.#header.timestamp,
      scenario_hash: this.#header.scenario_hash,
      ...agentCostFields(this.#cost.total()),
      max_turns_hit: end.maxTurnsHit,
      tool_errors: this.#toolErrors,
      retries: this.#retries,
      ...(recorded ? {} : { turns: this.#turnRecords }),
      error: stopped?.message ?? null,
      ...(stopped ? { error_code: stopped.code } : {}),
      ...(stopped?.stack === undefined ? {} : { error_stack: stopped.stack }),
      ...(agentLog === undefined || agentLog === '' ? {} : { agent_log: agentLog }),
    };
  }

  /** Messages that the agent reports itself: see `joinReported`. */
  #addReported(
    given: Message[],
    options: { open: readonly ToolCall[]; mark: MarkReported; ownHistory: boolean },
  ): void {
    const recorded = { messages: this.messages, toolCalls: this.#toolCalls, asked: this.#asked };
    const joined = joinReported(recorded, given, { ...options, givenCalls: this.#givenCalls });
    this.messages.splice(joined.from);
    // One by one: there may be more messages than a call can have arguments.
    for (const message of joined.messages) this.messages.push(message);
    this.#toolCalls = joined.toolCalls;
    this.#turns = joined.turns;
  }

  #beginObserved(observation: Observation): void {
    const { messages: from } = this.#asked;
    this.#endObserved(from);
    this.#observed.push({ observation, from, to: from, isEnded: false });
  }

  /** The messages of a turn end where the next one begins. */
  #endObserved(to: number): void {
    const last = this.#observed.at(-1);
    if (last && !last.isEnded) Object.assign(last, { to, isEnded: true });
  }

  #addAnswer(result: AdapterTurnResult): void {
    this.#turns += 1;
    this.messages.push(assistantMessage(result));
  }

  #record(call: ToolCall, outcome: RecordedOutcome): void {
    const { content, files, recorded = content, is_error, problem, effect, fault } = outcome;
    const { id, name } = call;
    const turn = Math.max(1, this.#turns);
    this.messages.push({ role: 'tool_result', tool_call_id: id, name, content, ...(files && { files }), is_error });
    const record = { id, name, arguments: call.arguments, turn, result: recorded, is_error, seen: 'observed' } as const;
    this.#toolCalls.push(effect || fault ? { ...record, ...(effect && { effect }), ...(fault && { fault }) } : record);
    if (problem) this.#toolErrors.push({ turn, tool_call_id: id, name, ...problem });
  }

  /** The agent has its answer, or the trial ended without one. */
  #answered(usage: Usage | null, cost_usd: number | null): void {
    if (this.#askedAt === null) return;
    // The clock leaves out waits for a free place. A stored time must not be below 0, whatever the clock does.
    const started_seconds = Math.max(0, this.#askedAt);
    this.#turnRecords.push({
      turn: this.#asked.turns + 1,
      started_seconds,
      latency_seconds: Math.max(0, this.#elapsedSeconds() - started_seconds),
      input_tokens: usage?.input_tokens ?? null,
      output_tokens: usage?.output_tokens ?? null,
      cost_usd,
    });
    this.#askedAt = null;
  }

  #markAsked(): void {
    this.#asked = { messages: this.messages.length, toolCalls: this.#toolCalls.length, turns: this.#turns };
  }

  #count(usage: Usage | null, cost: Cost): void {
    this.#inputTokens.add(usage?.input_tokens);
    this.#outputTokens.add(usage?.output_tokens);
    this.#cost.add(cost);
  }
}
