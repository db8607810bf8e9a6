import type { Usage } from '../trace/forms/usage.ts';
import type { AssistantMessage, Message, MessageFile, ToolCall } from '../trace/message.ts';
import type { DecisionQuestion } from './decision-question.ts';
import type { GivenToAgent, Observation, ObservedTrial } from './observe/observation.ts';

/** A tool as a model sees it. `parameters` is a JSON Schema. */
export interface ToolDefinition {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

export type { Usage };

/** Which conversation a request belongs to. An adapter that makes random choices seeds them with this. */
export interface Conversation {
  /** Unique for a trial, the same for all its requests; missing where no run is involved. */
  id?: string | undefined;
  runId?: string | undefined;
  scenario?: string | undefined;
  /** The name of the case, if the scenario has data. */
  case?: string | undefined;
  /** The row of the case, for whole agents. */
  row?: Record<string, unknown> | undefined;
  /** JSON: what `setupTrial` has made for the agent. */
  share?: unknown;
  /** The workspace and the services of the trial, and the variables with which programs find them. */
  environment?: TrialPlaces | undefined;
  seed: number;
  trialNumber: number;
  /** Set for a judge: which of its k votes this is, from 1. */
  voteNumber?: number;
  /** Set for a model that plays the user of the trial, or reads what that one wrote. */
  isUser?: boolean;
  /** Ordinal of this request in its conversation, from 0; a retry is a request of its own. */
  request: number;
}

/** What a trial has besides its conversation. */
export interface TrialPlaces {
  /** The absolute path of the trial's own folder. */
  workspace?: string | undefined;
  /** By their names. */
  services?: Record<string, { url: string; port: number }> | undefined;
  variables: Record<string, string>;
}

export interface AdapterConfig {
  model: string;
  temperature?: number | undefined;
  maxTokens?: number | undefined;
  seed?: number | undefined;
  extras?: Record<string, unknown> | undefined;
  signal?: AbortSignal | undefined;
  conversation?: Conversation | undefined;
  /** Random text in the messages, which is no part of what is asked: a judge's material is fenced in with it. */
  nonce?: string | undefined;
  /** Typed questions about the messages: the turn is a call of the tool `decide` with the answers, and no text is generated. */
  decision?: readonly DecisionQuestion[] | undefined;
  /** The messages are texts to be embedded: the turn is a call of the tool `embed` with a list of numbers for each. */
  embed?: boolean | undefined;
  /** Receives what an agent prints, to be kept with the trial. */
  log?: ((text: string) => void) | undefined;
  /**
   * Receives the chunks of an agent that returns a stream, as JSON. They are kept if the stream fails or never ends, where
   * there is no reply.
   */
  chunk?: ((json: string) => void) | undefined;
  /**
   * For an adapter with a queue of its own: runs the wait for a free place, which counts neither as latency nor against
   * the time limit of the trial.
   */
  whileWaiting?: WhileWaiting | undefined;
  /** For an agent that is observed: its limits, its budget, and who receives what was recorded in a turn that failed. */
  observed?: ObservedTrial | undefined;
  /** What an agent needs so that it can be observed. */
  given?: GivenToAgent | undefined;
  /** For whole agents in this process: answers a tool call from the scenario's mocks and records it. */
  callTool?: ((name: string, args: Record<string, unknown>) => Promise<ToolAnswer>) | undefined;
}

/** Runs a wait for a place in a queue of ours. */
export type WhileWaiting = <T>(wait: () => Promise<T>) => Promise<T>;

/** One turn as a model is asked for it. */
export interface TurnRequest {
  messages: Message[];
  tools: ToolDefinition[];
  config: AdapterConfig;
}

export interface ToolAnswer {
  content: string;
  /** Missing if the mock has none. */
  files?: MessageFile[] | undefined;
  is_error: boolean;
}

/** Why a turn ended: one of these for every provider, or the provider's own word when none of them fits. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'refusal' | 'content_filter' | (string & {});

export interface AdapterTurnResult {
  content: string | null;
  /** Images and files that the agent answered with, where its answer has their content or address. */
  files?: MessageFile[] | undefined;
  tool_calls: ToolCall[];
  /** Null when the provider did not report it. */
  usage: Usage | null;
  finish_reason: FinishReason;
  raw_response: unknown;
  /** What the model thought before it answered, where the agent reports it. */
  reasoning?: string | undefined;
  /** The model that answered, when the agent reports it. An adapter of a model: only if it is another than was asked. */
  model?: string | undefined;
  /**
   * All messages of this turn, when there are more than one: an agent that ran tools of its own. `content` and
   * `tool_calls` are then its last answer and the calls that are still open.
   */
  messages?: Message[] | undefined;
  /** Which agent answered, and the figures of its one step, where the agent reports them. */
  agent?: AssistantMessage['agent'];
  step?: AssistantMessage['step'];
  /** Sent back to the provider with the assistant message in later turns. */
  provider_state?: unknown;
  /** The cost of this turn, when the agent reports it; otherwise it is computed from `usage`. */
  cost_usd?: number | undefined;
  /** How long the model took, if the answer was recorded earlier. */
  latency_seconds?: number | undefined;
  /**
   * Set for a whole agent, which may call tools that Salvo does not see. text: the answer says nothing about tool calls.
   * Missing in an adapter of a model, whose calls Salvo answers itself.
   */
  tools_reported?: 'calls' | 'text' | undefined;
  /** The agent, or its entry in salvo.yaml, says that these are all its tool calls. */
  tools_declared?: boolean | undefined;
  /** The conversation is a row of the scenario's data: nothing was executed in this trial. */
  imported?: boolean | undefined;
  /** Set by an adapter that ran the whole task itself: there is no further turn. */
  trace?: AgentTrace | undefined;
  /** What was recorded in this turn, if the agent is observed. */
  observed?: Observation | undefined;
}

/**
 * What a whole agent returns: its conversation, and the tokens and costs it knows. Only the messages are required: what
 * else is missing is derived from them, or is unknown.
 */
export interface AgentTrace {
  messages: Message[];
  final_content?: string | null | undefined;
  finish_reason?: string | undefined;
  model?: string | undefined;
  input_tokens?: number | null | undefined;
  output_tokens?: number | null | undefined;
  cost_usd?: number | null | undefined;
  /** How long the agent worked, if it was not now: null if nobody knows. */
  latency_seconds?: number | null | undefined;
  /** When it was, if it was not now. */
  timestamp?: string | undefined;
}

/** How a model or an agent is called: one turn in, one turn out; or one whole task in, one trace out. */
export interface PrepareOptions {
  /** The agent's model is replayed from a cassette, so that its key may be missing. */
  isReplay: boolean;
}

export interface Adapter {
  providerName(): string;
  /**
   * True when a turn is one answer of a model to exactly this prompt, of at most `maxTokens` tokens. Its cost has an
   * upper limit then. An agent may call models as often as it likes.
   */
  isOneModelCall?: boolean | undefined;
  /** True when a failure says nothing about the next request, as in a script: then no failure stops other requests. */
  hasIndependentFailures?: boolean | undefined;
  /** `observe` of the adapter: where the calls of a whole agent are recorded. */
  observes?: Observation['by'] | undefined;
  /** True when recorded answers are replayed: nothing is sent, so no budget, limit or outage is for it. */
  isReplayed?: boolean | undefined;
  /** How many tokens fit in the model's context, where the adapter knows it. */
  contextTokens?: number | undefined;
  sendTurn(messages: Message[], tools: ToolDefinition[], config: AdapterConfig): Promise<AdapterTurnResult>;
  /** Loads what every turn needs, and throws when that fails. Called before the first turn of a run. */
  prepare?(options?: PrepareOptions): Promise<void>;
  /** The trial with this `conversation.id` is over: releases what the adapter holds for it. */
  endConversation?(id: string): Promise<void>;
  /** Releases what the adapter holds (a model in memory, sockets). */
  close?(): Promise<void>;
}
