import type { ErrorCode } from '../../text/errors/error-codes.ts';
import type { Message } from '../../trace/message.ts';
import type { AdapterConfig, ToolAnswer, ToolDefinition } from '../adapter.ts';
import type { AdapterErrorKind } from '../adapter-error.ts';

/** The part of a configuration that can be sent to another process. */
type SentConfig = Omit<AdapterConfig, 'signal' | 'log' | 'chunk' | 'callTool' | 'whileWaiting' | 'observed' | 'given'>;

/** What Salvo sends to the process of an agent. `id` is the number of a question. */
export type ToAgent =
  | { type: 'ask'; id: number; messages: Message[]; tools: ToolDefinition[]; config: SentConfig; hasTools: boolean }
  | { type: 'abort'; id: number; message: string }
  | { type: 'tool_answer'; id: number; call: number; answer: ToolAnswer | null; problem: string }
  | { type: 'close' };

/** What the process of an agent sends. */
export type FromAgent =
  | { type: 'ready'; kind: 'agent' | 'adapter' }
  | { type: 'not_loaded'; error: SentError }
  | { type: 'reply'; id: number; reply: string }
  | { type: 'error'; id: number; error: SentError }
  | { type: 'tool'; id: number; call: number; name: string; args: Record<string, unknown> }
  | { type: 'log'; id: number; text: string }
  | { type: 'chunk'; id: number; json: string }
  /** The process ends; `id` is the question whose code ended it, if that is known. */
  | { type: 'exit'; id: number | null; stack: string | undefined };

export interface SentError {
  /** Null for an error of Salvo that is not an `AdapterError`. */
  kind: AdapterErrorKind | null;
  code: ErrorCode;
  message: string;
  status?: number | undefined;
  retryAfterSeconds?: number | undefined;
  agentStack?: string | undefined;
  /** The tool call of this question in which Salvo itself threw the error. */
  toolCall?: number | undefined;
}
