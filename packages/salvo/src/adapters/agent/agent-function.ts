import type { ReplyObject } from '../../trace/forms/read-reply.ts';
import type { Message } from '../../trace/message.ts';
import type { Trace } from '../../trace/trace.ts';
import type { MessageForm } from '../../trace/write/message-form.ts';
import type { MessagesByForm } from '../../trace/write/messages-as.ts';
import type { AdapterTurnResult, AgentTrace, ToolAnswer, ToolDefinition, Usage } from '../adapter.ts';

/** What an agent function receives: the task, and tools that answer from the scenario's mocks. */
export interface AgentTask {
  /** The conversation so far, in Salvo's own form. */
  messages: Message[];
  /**
   * The same in the form of an SDK. The forms `ai-sdk`, `anthropic`, `gemini` and `bedrock` have no system messages: pass
   * `system` to the SDK as well.
   */
  messagesAs<Form extends MessageForm>(form: Form): MessagesByForm[Form];
  /** The system prompt of the scenario; undefined if it has none. */
  system: string | undefined;
  tools: ToolDefinition[];
  /** Calls a tool of the scenario. The call and its answer are recorded in the trace. */
  callTool(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  model: string;
  temperature: number | undefined;
  maxTokens: number | undefined;
  /** `seed` of the scenario. */
  seed: number | undefined;
  extras: Record<string, unknown> | undefined;
  /** The run that the trial belongs to; empty if the agent is not called by a run. */
  runId: string;
  /** The name of the scenario. */
  scenario: string;
  /** The name of the case; empty if the scenario has no data. */
  case: string;
  /** The row of the case; empty if the scenario has no data. */
  row: Record<string, unknown>;
  /** What `setupTrial` returned under `share`, as JSON; undefined if it returned nothing there. */
  share: unknown;
  /** The absolute path of the trial's own folder; undefined if the scenario has no `workspace`. */
  workspace: string | undefined;
  /** Where the services of the scenario are, by their names. */
  services: Record<string, { url: string; port: number }>;
  /** From 1. */
  trialNumber: number;
  /**
   * For random choices of the agent, such as the `seed` of its model: another one in each trial, and the same in a run with
   * the same `--seed`.
   */
  trialSeed: number;
  /**
   * An id of this trial that no other trial has, in this run or another: an agent with memory uses it as the id of its
   * thread, so that trials do not share what they remember. It is the same for all turns of one trial.
   */
  conversation: string;
  /** Fires when the trial is cancelled or out of time: pass it on to whatever you call. */
  signal: AbortSignal;
}

/** A whole agent: returns its final text, one turn, the trace of all it did, the result of its SDK, or a stream. */
export type AgentFunction = (task: AgentTask) => AgentReply | Promise<AgentReply>;

export type AgentReply =
  | string
  | (AgentTurn & AgentDeclaration)
  | (AgentTrace & { usage?: AgentUsage } & AgentDeclaration)
  | (ReplyObject & AgentDeclaration)
  | AgentStream;

/** A stream is read to its end: of texts, of messages, or of chunks of a provider; also the result of an SDK that has one. */
type AgentStream =
  | AsyncIterable<unknown>
  | { fullStream: AsyncIterable<unknown> }
  /** A streamed response of Bedrock. */
  | { stream?: AsyncIterable<unknown> | undefined; $metadata: object };

interface AgentDeclaration {
  /**
   * `all`: these are all tool calls of the agent. Without it, an answer that is only a text says nothing about them. A
   * stored trace that is returned has one of the other words.
   */
  tools_seen?: 'all' | Trace['tools_seen'];
}

/** Tokens in the names of Salvo, of OpenAI or of the AI SDK. */
type AgentUsage =
  | Usage
  | { prompt_tokens: number; completion_tokens: number }
  | { inputTokens?: number | undefined; outputTokens?: number | undefined }
  | null
  | undefined;

type AgentTurn = Omit<Partial<AdapterTurnResult>, 'content' | 'usage'> &
  Pick<AdapterTurnResult, 'content'> & {
    /** The tokens of this turn, from which its cost is computed if `cost_usd` is missing. */
    usage?: AgentUsage;
  };
