import { z } from 'zod';
import { textWithMarkers } from '../../trace/files/message-file.ts';
import type { Message, ToolCall } from '../../trace/message.ts';

/** A conversation in the format of node-llama-cpp: all that a model does between two user messages is one item. */
export type LlamaHistoryItem =
  | { type: 'system'; text: string }
  | { type: 'user'; text: string }
  | { type: 'model'; response: (string | LlamaFunctionCall)[] };

interface LlamaFunctionCall {
  type: 'functionCall';
  name: string;
  params: unknown;
  result: unknown;
  /** The tokens of the call as the model wrote them, so that the conversation is repeated exactly. */
  rawCall?: unknown;
  /** Whether this is the first of the calls that were made together. */
  startsNewChunk: boolean;
}

const llamaStateSchema = z.object({ llama: z.object({ raw_calls: z.array(z.unknown()) }) });

/** The last item is the model's, which it continues. */
export function llamaHistory(messages: Message[]): LlamaHistoryItem[] {
  const history: LlamaHistoryItem[] = [];
  const open = new Map<string, LlamaFunctionCall>();
  for (const message of messages) {
    if (message.role === 'system' || message.role === 'user') {
      history.push({ type: message.role, text: message.content });
    } else if (message.role === 'tool_result') {
      const call = open.get(message.tool_call_id);
      const text = textWithMarkers(message);
      if (call) call.result = message.is_error ? { error: text } : text;
    } else {
      const raw = llamaStateSchema.safeParse(message.provider_state).data?.llama.raw_calls ?? [];
      const calls = message.tool_calls.map((call, index) => functionCall(call, index, raw[index]));
      for (const [index, call] of message.tool_calls.entries()) {
        const item = calls[index];
        if (item) open.set(call.id, item);
      }
      modelItem(history).response.push(...(message.content ? [message.content] : []), ...calls);
    }
  }
  modelItem(history);
  return history;
}

function functionCall({ name, arguments: params }: ToolCall, index: number, rawCall: unknown): LlamaFunctionCall {
  const raw = rawCall == null ? {} : { rawCall };
  return { type: 'functionCall', name, params, result: undefined, ...raw, startsNewChunk: index === 0 };
}

function modelItem(history: LlamaHistoryItem[]): Extract<LlamaHistoryItem, { type: 'model' }> {
  const last = history.at(-1);
  if (last?.type === 'model') return last;
  const item: LlamaHistoryItem = { type: 'model', response: [] };
  history.push(item);
  return item;
}
