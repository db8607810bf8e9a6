import { z } from 'zod';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { finishReason } from '../../trace/forms/finish-reason.ts';
import { usageSchema } from '../../trace/forms/usage.ts';
import type { Message, ToolCall } from '../../trace/message.ts';
import { parseToolArguments } from '../../trace/tool-arguments.ts';
import type { AdapterTurnResult, FinishReason } from '../adapter.ts';
import type { AdapterError } from '../adapter-error.ts';
import { adapterErrorFromStatus } from '../call/http-status.ts';
import { unreadableBody } from '../sdk/response-body.ts';

/** Loose on purpose: compatible servers leave out fields, add some, and send null for others. */
const wireFunctionSchema = z.object({ name: z.string(), arguments: z.unknown().optional() });
const wireToolCallSchema = z.object({
  id: z.string().nullish(),
  function: wireFunctionSchema,
  extra_content: z.unknown().optional(),
});
const wireMessageSchema = z.object({
  content: z.union([z.string(), z.array(z.object({ text: z.string().optional() }))]).nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(wireToolCallSchema).nullish(),
  function_call: wireFunctionSchema.nullish(),
  reasoning_content: z.unknown().optional(),
  reasoning_details: z.unknown().optional(),
});
const wireUsageSchema = z.object({
  prompt_tokens: z.number().nonnegative(),
  completion_tokens: z.number().nonnegative().default(0),
  prompt_tokens_details: z.object({ cached_tokens: z.number().nonnegative().nullish() }).nullish().catch(null),
});
const completionSchema = z.object({
  choices: z.tuple([z.object({ finish_reason: z.string().nullish(), message: wireMessageSchema })]).rest(z.unknown()),
  usage: wireUsageSchema
    .transform((wire) => usageSchema.parse(wire))
    .nullish()
    .catch(null),
});
const errorInBodySchema = z.object({
  error: z.object({ message: z.string(), code: z.coerce.number().int().min(400).max(599) }),
});

type WireMessage = z.infer<typeof wireMessageSchema>;

/** The turn of a chat completion. `messages` are those of the request: generated ids must differ from theirs. */
export function openAiTurn(body: unknown, messages: Message[]): AdapterTurnResult {
  const completion = completionSchema.safeParse(body);
  if (!completion.success) throw unreadable(body, completion.error);
  const { message, finish_reason } = completion.data.choices[0];
  const tool_calls = toolCalls(message, messages);
  const text = contentText(message.content);
  return {
    content: message.refusal || text,
    tool_calls,
    usage: completion.data.usage ?? null,
    finish_reason: message.refusal ? 'refusal' : reasonOf(finish_reason, tool_calls.length > 0),
    raw_response: body,
    ...providerState(message),
  };
}

function reasonOf(reason: string | null | undefined, hasToolCalls: boolean): FinishReason {
  const known = finishReason(reason ?? 'stop');
  // With a forced tool choice, and on some compatible servers, a turn with tool calls ends with "stop".
  return known === 'stop' && hasToolCalls ? 'tool_calls' : known;
}

function contentText(content: WireMessage['content']): string | null {
  if (content === null || content === undefined || typeof content === 'string') return content ?? null;
  return content.map((part) => part.text ?? '').join('');
}

function toolCalls(message: WireMessage, messages: Message[]): ToolCall[] {
  const legacy = message.function_call ? [{ id: null, function: message.function_call }] : [];
  const wireCalls = message.tool_calls?.length ? message.tool_calls : legacy;
  if (wireCalls.length === 0) return [];
  const earlier = messages.flatMap((m) => (m.role === 'assistant' ? m.tool_calls.map((call) => call.id) : []));
  const used = new Set(earlier);
  return wireCalls.map((call, index) => {
    // A result is paired with its call by this id alone, so it must be present and unique.
    const id = call.id && !used.has(call.id) ? call.id : `call_${earlier.length + index + 1}`;
    used.add(id);
    return { id, name: call.function.name, ...parseToolArguments(call.function.arguments) };
  });
}

function providerState(message: WireMessage): { provider_state?: unknown } {
  const calls = (message.tool_calls ?? []).map((call) => present({ extra_content: call.extra_content }));
  const { reasoning_content, reasoning_details } = message;
  const own = present({ reasoning_content, reasoning_details });
  const isEmpty = [own, ...calls].every((fields) => Object.keys(fields).length === 0);
  return isEmpty || calls.length === 0 ? {} : { provider_state: { openai: { message: own, tool_calls: calls } } };
}

function present(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

function unreadable(body: unknown, problem: z.ZodError): AdapterError {
  return errorInBody(body) ?? unreadableBody({ body, expected: 'a chat completion', problem });
}

/** Gateways such as OpenRouter report an error of the provider with status 200. Null if the body has none. */
export function errorInBody(body: unknown): AdapterError | null {
  const inBody = errorInBodySchema.safeParse(body).data?.error;
  if (!inBody) return null;
  return adapterErrorFromStatus({
    status: inBody.code,
    message: `The server answered 200 with an error in the body: ${quoteOutput(inBody.message)}`,
  });
}
