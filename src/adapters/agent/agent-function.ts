import type { Message } from '../../trace/message.ts';
import type { AdapterTurnResult, AgentTrace, ToolAnswer, ToolDefinition } from '../adapter.ts';

/** What an agent function receives: the task, and tools that answer from the scenario's mocks. */
export interface AgentTask {
  messages: Message[];
  tools: ToolDefinition[];
  /** Calls a tool of the scenario. The call and its answer are recorded in the trace. */
  callTool(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  model: string;
  temperature: number | undefined;
  maxTokens: number | undefined;
  seed: number | undefined;
  extras: Record<string, unknown> | undefined;
  /** Fires when the trial is cancelled or out of time: pass it on to whatever you call. */
  signal: AbortSignal;
}

/** A whole agent: returns its final text, one turn, or the trace of all it did. */
export type AgentFunction = (task: AgentTask) => AgentReply | Promise<AgentReply>;

export type AgentReply = string | (Partial<AdapterTurnResult> & Pick<AdapterTurnResult, 'content'>) | AgentTrace;
