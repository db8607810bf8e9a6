import type { Reply } from './loopback-server.ts';

interface MessageParts {
  content: unknown[];
  stopReason?: string;
  usage?: unknown;
  stopDetails?: unknown;
}

/** A message as Anthropic sends it. */
export function anthropicMessage({
  content,
  stopReason = 'end_turn',
  usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  stopDetails = null,
}: MessageParts): Reply {
  return {
    json: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
      content,
      stop_reason: stopReason,
      stop_sequence: null,
      stop_details: stopDetails,
      usage,
    },
  };
}

/** An error as Anthropic sends it. */
export function anthropicError(
  status: number,
  { type, message, headers = {} }: { type: string; message: string; headers?: Record<string, string> },
): Reply {
  return { status, headers, json: { type: 'error', error: { type, message }, request_id: 'req_1' } };
}
