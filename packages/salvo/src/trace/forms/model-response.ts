import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { readAssistantMessage } from './chat-message.ts';
import type { Conversation } from './conversation.ts';
import { FormError, readAs } from './form-error.ts';
import { readGeminiContent } from './gemini-content.ts';
import { readMessage, readMessages } from './read-messages.ts';
import { type Usage, usageSchema } from './usage.ts';

/** What a response of a model says besides its message. */
interface ModelResponse {
  kind: 'answer';
  /** The reply is one response of a model, so that its figures are those of one step. */
  isOneStep?: boolean;
  finish_reason?: string | null;
  usage?: Usage | null;
}

/** A response of Bedrock's Converse, or a result of Strands, which has the last message only. */
export function readConverse(
  { output, lastMessage, metrics }: Record<string, unknown>,
  into: Conversation,
): ModelResponse | undefined {
  const [message, place] = isRecord(lastMessage)
    ? [lastMessage, 'lastMessage']
    : [isRecord(output) ? output.message : undefined, 'output.message'];
  if (!isRecord(message) || message.role !== 'assistant') return undefined;
  readMessage(message, into, place);
  const figures = isRecord(metrics) ? metrics : {};
  if (isRecord(lastMessage)) {
    // What the calls before the last one took is only in the sum.
    into.count(null);
    return { kind: 'answer', usage: usageSchema.safeParse(figures.accumulatedUsage).data ?? null };
  }
  if (typeof figures.latencyMs === 'number') into.figures({ latency_seconds: figures.latencyMs / 1000 });
  return { kind: 'answer', isOneStep: true };
}

/** A chat completion of OpenAI or of a server with its API. */
export function readChatCompletion(reply: Record<string, unknown>, into: Conversation): ModelResponse | undefined {
  if (!('choices' in reply)) return undefined;
  const choice = z.object({ message: z.looseObject({}), finish_reason: z.string().nullish() });
  const [first] = readAs(z.array(choice).length(1, 'Salvo reads exactly one answer'), reply.choices, 'choices');
  into.assistant(() => readAssistantMessage(first?.message ?? {}, into, 'choices[0].message'));
  return { kind: 'answer', isOneStep: true, finish_reason: first?.finish_reason ?? null };
}

const responseSchema = z.object({
  output: z.array(z.unknown()),
  status: z.string().nullish(),
  error: z.object({ message: z.string() }).nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
});

/** A response of OpenAI's Responses API. */
export function readResponse(reply: Record<string, unknown>, into: Conversation): ModelResponse | undefined {
  if (reply.object !== 'response' && !Array.isArray(reply.output)) return undefined;
  const { output, status, error, incomplete_details } = readAs(responseSchema, reply, 'the response');
  if (error) throw new FormError('it', `reported an error: ${error.message}`);
  readMessages(output, into, 'output');
  if (into.messages.length === 0) into.assistant(() => {});
  return {
    kind: 'answer',
    isOneStep: true,
    finish_reason: status === 'incomplete' ? (incomplete_details?.reason ?? 'incomplete') : null,
  };
}

/** A response of Gemini. */
export function readGeminiResponse(reply: Record<string, unknown>, into: Conversation): ModelResponse | undefined {
  if (!Array.isArray(reply.candidates)) return undefined;
  const candidate = z.object({ content: z.looseObject({}).nullish(), finishReason: z.string().nullish() });
  const [first] = readAs(
    z.array(candidate).length(1, 'Salvo reads exactly one answer'),
    reply.candidates,
    'candidates',
  );
  const content = { parts: [], ...first?.content, role: 'model' };
  readGeminiContent(content, into, 'candidates[0].content');
  return { kind: 'answer', isOneStep: true, finish_reason: first?.finishReason?.toLowerCase() ?? null };
}
