import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { readChatMessage } from './chat-message.ts';
import type { Conversation } from './conversation.ts';
import { readAs } from './form-error.ts';

/** By the type of a message, and by the name of its class. */
const ROLES = new Map<unknown, string>([
  ...['human', 'HumanMessage', 'HumanMessageChunk'].map((type) => [type, 'user'] as const),
  ...['ai', 'AIMessage', 'AIMessageChunk'].map((type) => [type, 'assistant'] as const),
  ...['system', 'developer', 'SystemMessage', 'SystemMessageChunk'].map((type) => [type, 'system'] as const),
  ...['tool', 'ToolMessage', 'ToolMessageChunk', 'function', 'FunctionMessage'].map((type) => [type, 'tool'] as const),
]);

const fieldsSchema = z.looseObject({
  status: z.string().nullish(),
  tool_calls: z.array(z.unknown()).nullish(),
  invalid_tool_calls: z.array(z.looseObject({ name: z.string().nullish(), args: z.string().nullish() })).nullish(),
  usage_metadata: z.unknown().optional(),
  response_metadata: z.unknown().optional(),
});

export const LANGCHAIN_TYPES = ['human', 'ai', 'system', 'tool'];

/**
 * The fields of a LangChain message with their role: `{type: 'ai', content}`, `{type: 'ai', data: {content}}`, or what
 * JSON.stringify makes of its classes: `{lc: 1, id: [..., 'AIMessage'], kwargs: {content}}`.
 */
function fieldsOf(message: Record<string, unknown>): { role: string; fields: Record<string, unknown> } | undefined {
  if (message.lc !== undefined && Array.isArray(message.id) && isRecord(message.kwargs)) {
    const role = ROLES.get(message.id.at(-1));
    return role === undefined ? undefined : { role, fields: message.kwargs };
  }
  const role = 'role' in message ? undefined : ROLES.get(message.type);
  if (role === undefined) return undefined;
  if (isRecord(message.data) && 'content' in message.data) return { role, fields: message.data };
  return 'content' in message ? { role, fields: message } : undefined;
}

export function isLangChainMessage(message: Record<string, unknown>): boolean {
  return fieldsOf(message) !== undefined;
}

export function readLangChainMessage(message: Record<string, unknown>, into: Conversation, place: string): void {
  const found = fieldsOf(message);
  if (!found) return;
  const fields = readAs(fieldsSchema, found.fields, place);
  const invalid = (fields.invalid_tool_calls ?? []).map(({ args, ...call }) => ({
    ...call,
    raw_arguments: args ?? '',
  }));
  readChatMessage(
    {
      ...fields,
      role: found.role,
      tool_calls: [...(fields.tool_calls ?? []), ...invalid],
      usage: fields.usage_metadata,
      is_error: fields.status === 'error',
    },
    into,
    place,
  );
  if (found.role === 'assistant' && isRecord(fields.response_metadata)) into.by(modelOf(fields.response_metadata));
}

/** Each integration has its own name for it. */
function modelOf(metadata: Record<string, unknown>): unknown {
  const names = ['model_name', 'model', 'model_id', 'modelId', 'model_version', 'modelVersion', 'ls_model_name'];
  return names.map((name) => metadata[name]).find((model) => typeof model === 'string');
}
