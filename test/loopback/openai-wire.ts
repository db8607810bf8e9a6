import type { Reply } from './loopback-server.ts';

interface WireToolCall {
  id?: string;
  name: string;
  /** As the model wrote it: JSON text, valid or not. */
  arguments: unknown;
  extra?: Record<string, unknown>;
}

interface CompletionParts {
  content?: string | null;
  refusal?: string;
  toolCalls?: WireToolCall[];
  finishReason?: string | null;
  usage?: unknown;
  message?: Record<string, unknown>;
  /** The model that the provider says it used. */
  model?: string;
}

/** A chat completion as OpenAI sends it. */
export function completion({
  content = null,
  refusal,
  toolCalls,
  finishReason = toolCalls ? 'tool_calls' : 'stop',
  usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  message,
  model = 'gpt-4o-2024-08-06',
}: CompletionParts): Reply {
  return {
    json: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_760_000_000,
      model,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content,
            refusal: refusal ?? null,
            ...(toolCalls && { tool_calls: toolCalls.map(wireToolCall) }),
            ...message,
          },
          finish_reason: finishReason,
        },
      ],
      usage,
    },
  };
}

/** An error as OpenAI sends it. */
export function openAiError(
  status: number,
  { message, code = null, headers = {} }: { message: string; code?: string | null; headers?: Record<string, string> },
): Reply {
  return { status, headers, json: { error: { message, type: code ?? 'error', param: null, code } } };
}

function wireToolCall({ id, name, arguments: args, extra }: WireToolCall) {
  return { ...(id !== undefined && { id }), type: 'function', function: { name, arguments: args }, ...extra };
}
