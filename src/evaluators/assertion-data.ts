import type { Message } from '../trace/message.ts';
import type { ToolCallRecord, Trace } from '../trace/trace.ts';

/** The data that a `jmespath` assertion can query. */
interface AssertionData {
  /** The agent's final answer. */
  response: { content: string | null; finish_reason: string };
  /** All messages in order, with the system prompt and the answers of tools. */
  turns: Message[];
  /** The calls the agent made, each with `name`, `arguments`, `turn`, `result` and `is_error`. */
  tool_calls: ToolCallRecord[];
  metadata: Pick<
    Trace,
    | 'model'
    | 'provider'
    | 'cost_usd'
    | 'latency_seconds'
    | 'input_tokens'
    | 'output_tokens'
    | 'total_tokens'
    | 'turn_count'
    | 'finish_reason'
  >;
}

export function assertionData(trace: Trace): AssertionData {
  return {
    response: { content: trace.final_content, finish_reason: trace.finish_reason },
    turns: trace.messages,
    tool_calls: trace.tool_calls_made,
    metadata: {
      model: trace.model,
      provider: trace.provider,
      cost_usd: trace.cost_usd,
      latency_seconds: trace.latency_seconds,
      input_tokens: trace.input_tokens,
      output_tokens: trace.output_tokens,
      total_tokens: trace.total_tokens,
      turn_count: trace.turn_count,
      finish_reason: trace.finish_reason,
    },
  };
}
