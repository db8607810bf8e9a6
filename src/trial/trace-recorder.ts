import type { AdapterTurnResult, AgentTrace, Usage } from '../adapters/adapter.ts';
import { sumOrUnknown } from '../stats/sum-or-unknown.ts';
import type { Message, ToolCall } from '../trace/message.ts';
import { toolCallsOf } from '../trace/tool-calls-of.ts';
import type { RetryRecord, ToolCallRecord, ToolError, Trace } from '../trace/trace.ts';
import type { ToolOutcome } from './tool-mocks.ts';

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
  code: string;
  message: string;
}

interface CountedTurn {
  model: string;
  usage: Usage | null;
  cost_usd: number | undefined;
}

export type PriceOf = (turn: CountedTurn) => Promise<number | null>;

/** Records what happens in one trial, and makes its trace. */
export class TraceRecorder {
  readonly messages: Message[] = [];
  readonly #header: TraceHeader;
  readonly #priceOf: PriceOf;
  readonly #toolCalls: ToolCallRecord[] = [];
  readonly #toolErrors: ToolError[] = [];
  readonly #retries: RetryRecord[] = [];
  #turns = 0;
  #inputTokens: number | null = 0;
  #outputTokens: number | null = 0;
  #cost: number | null = 0;
  #finishReason = 'none';
  #whole: AgentTrace | undefined;

  constructor(header: TraceHeader, priceOf: PriceOf) {
    this.#header = header;
    this.#priceOf = priceOf;
  }

  get turns(): number {
    return this.#turns;
  }

  send(messages: Message[]): void {
    this.messages.push(...messages);
  }

  retry(record: Omit<RetryRecord, 'turn'>): void {
    this.#retries.push({ turn: this.#turns + 1, ...record });
  }

  /** Returns the cost of the turn; null if it is unknown. */
  async turn(result: AdapterTurnResult): Promise<number | null> {
    this.#finishReason = result.finish_reason;
    const whole = result.trace;
    if (whole) {
      this.#whole = whole;
      return this.#count({
        usage: usageOf(whole),
        cost_usd: whole.cost_usd ?? undefined,
        model: whole.model ?? this.#header.model,
      });
    }
    this.#turns += 1;
    this.messages.push({
      role: 'assistant',
      content: result.content,
      tool_calls: result.tool_calls,
      ...(result.provider_state === undefined ? {} : { provider_state: result.provider_state }),
    });
    return this.#count({ usage: result.usage, cost_usd: result.cost_usd, model: this.#header.model });
  }

  toolCall(call: ToolCall, outcome: ToolOutcome): void {
    const { content, is_error, problem } = outcome;
    const turn = Math.max(1, this.#turns);
    this.messages.push({ role: 'tool_result', tool_call_id: call.id, name: call.name, content, is_error });
    this.#toolCalls.push({ id: call.id, name: call.name, arguments: call.arguments, turn, result: content, is_error });
    if (problem) this.#toolErrors.push({ turn, tool_call_id: call.id, name: call.name, ...problem });
  }

  /** A call by an agent in this process, outside of our turns. */
  agentToolCall(call: ToolCall, outcome: ToolOutcome): void {
    this.#turns += 1;
    this.messages.push({ role: 'assistant', content: null, tool_calls: [call] });
    this.toolCall(call, outcome);
  }

  finish(end: { latencySeconds: number; maxTurnsHit: boolean; stopped?: StopReason | undefined }): Trace {
    const whole = this.#whole;
    const messages = whole ? whole.messages : this.messages;
    const input = this.#inputTokens;
    const output = this.#outputTokens;
    return {
      messages,
      // We answered the calls of an agent in this process. Any other agent reports its calls itself.
      tool_calls_made: whole && this.#toolCalls.length === 0 ? toolCallsOf(messages) : this.#toolCalls,
      turn_count: whole ? messages.filter(({ role }) => role === 'assistant').length : this.#turns,
      input_tokens: input,
      output_tokens: output,
      total_tokens: sumOrUnknown([input, output]),
      latency_seconds: end.latencySeconds,
      final_content: whole?.final_content ?? lastAnswer(messages),
      finish_reason: end.stopped?.reason ?? whole?.finish_reason ?? this.#finishReason,
      model: whole?.model ?? this.#header.model,
      provider: this.#header.provider,
      timestamp: this.#header.timestamp,
      scenario_hash: this.#header.scenario_hash,
      cost_usd: this.#cost,
      max_turns_hit: end.maxTurnsHit,
      tool_errors: this.#toolErrors,
      retries: this.#retries,
      error: end.stopped?.message ?? null,
      ...(end.stopped ? { error_code: end.stopped.code } : {}),
    };
  }

  async #count(turn: CountedTurn): Promise<number | null> {
    this.#inputTokens = sumOrUnknown([this.#inputTokens, turn.usage?.input_tokens]);
    this.#outputTokens = sumOrUnknown([this.#outputTokens, turn.usage?.output_tokens]);
    const cost = await this.#priceOf(turn);
    this.#cost = sumOrUnknown([this.#cost, cost]);
    return cost;
  }
}

function usageOf({ input_tokens, output_tokens }: AgentTrace): Usage | null {
  if (input_tokens === undefined || input_tokens === null) return null;
  if (output_tokens === undefined || output_tokens === null) return null;
  return { input_tokens, output_tokens };
}

/** The last message if it is the agent's; null if the conversation ended with a tool result or a user message. */
function lastAnswer(messages: Message[]): string | null {
  const last = messages.at(-1);
  return last?.role === 'assistant' ? last.content : null;
}
