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
  kind: 'conversation' | 'answer';
  finish_reason?: string | null;
  usage?: Usage | null;
}

type ResponseReader = (reply: Record<string, unknown>, into: Conversation) => ModelResponse | undefined;

/** Reads a whole response of a model that is among messages. False if it is none. */
export function readModelResponse(reply: Record<string, unknown>, into: Conversation): boolean {
  // Results of tools are items that have an `output`, too.
  if (typeof reply.type === 'string' && reply.type !== 'message') return false;
  for (const read of RESPONSES) {
    const found = read(reply, into);
    if (!found) continue;
    into.endedBy(found.finish_reason);
    return true;
  }
  return false;
}

const RESPONSES: readonly ResponseReader[] = [
  readChatCompletion,
  readResponse,
  readGeminiResponse,
  readConverse,
  readAnthropic,
];

/** A response of Bedrock's Converse, or a result of Strands. */
export function readConverse(reply: Record<string, unknown>, into: Conversation): ModelResponse | undefined {
  const { output, lastMessage, metrics, usage } = reply;
  if (isRecord(lastMessage)) return readStrands(lastMessage, reply, into);
  const message = isRecord(output) ? output.message : undefined;
  if (!isRecord(message) || message.role !== 'assistant') return undefined;
  readMessage({ usage, ...message }, into, 'output.message');
  const { latencyMs } = isRecord(metrics) ? metrics : {};
  if (typeof latencyMs === 'number') into.figures({ latency_seconds: latencyMs / 1000 });
  return { kind: 'answer', finish_reason: typeof reply.stopReason === 'string' ? reply.stopReason : null };
}

/** A result of Strands has the last message, and in its traces all answers, but not what its tools returned. */
function readStrands(
  lastMessage: Record<string, unknown>,
  { metrics, traces }: Record<string, unknown>,
  into: Conversation,
): ModelResponse | undefined {
  if (lastMessage.role !== 'assistant') return undefined;
  const answers = childrenOf({ children: traces })
    .flatMap(childrenOf)
    .map(({ message }) => message)
    .filter(isRecord);
  if (answers.length > 0) readMessages(answers, into, 'traces');
  else readMessage(lastMessage, into, 'lastMessage');
  // What the calls before the last one took is only in the sum.
  if (answers.length === 0) into.count(null);
  const { accumulatedUsage } = isRecord(metrics) ? metrics : {};
  const usage = usageSchema.safeParse(accumulatedUsage).data ?? null;
  return { kind: answers.length > 0 ? 'conversation' : 'answer', usage };
}

function childrenOf({ children }: Record<string, unknown>): Record<string, unknown>[] {
  return Array.isArray(children) ? children.filter(isRecord) : [];
}

/** A chat completion of OpenAI or of a server with its API. */
export function readChatCompletion(reply: Record<string, unknown>, into: Conversation): ModelResponse | undefined {
  if (!('choices' in reply)) return undefined;
  const choice = z.object({ message: z.looseObject({}), finish_reason: z.string().nullish() });
  const [first] = readAs(z.array(choice).length(1, 'Salvo reads exactly one answer'), reply.choices, 'choices');
  const message = { usage: reply.usage, ...first?.message };
  into.assistant(() => readAssistantMessage(message, into, 'choices[0].message'));
  into.by(reply.model);
  return { kind: 'answer', finish_reason: first?.finish_reason ?? null };
}

const responseSchema = z.object({
  output: z.array(z.unknown()),
  status: z.string().nullish(),
  error: z.object({ message: z.string() }).nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  usage: usageSchema,
});

/** A response of OpenAI's Responses API. */
export function readResponse(reply: Record<string, unknown>, into: Conversation): ModelResponse | undefined {
  if (reply.object !== 'response' && !Array.isArray(reply.output)) return undefined;
  const { output, status, error, incomplete_details, usage } = readAs(responseSchema, reply, 'the response');
  if (error) throw new FormError('it', `reported an error: ${error.message}`);
  const before = into.messages.length;
  into.endAnswer();
  readMessages(output, into, 'output');
  if (into.messages.length === before) into.assistant(() => {});
  into.by(reply.model);
  into.count(usage);
  return {
    kind: 'answer',
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
  into.by(reply.modelVersion);
  into.count(readAs(usageSchema, reply.usageMetadata, 'usageMetadata'));
  return { kind: 'answer', finish_reason: first?.finishReason?.toLowerCase() ?? null };
}

/** A message of Anthropic's API, which has its model and its tokens. */
function readAnthropic(reply: Record<string, unknown>, into: Conversation): ModelResponse | undefined {
  if (reply.type !== 'message' || reply.role !== 'assistant' || typeof reply.model !== 'string') return undefined;
  readMessage(reply, into, 'the response');
  into.by(reply.model);
  return { kind: 'answer', finish_reason: typeof reply.stop_reason === 'string' ? reply.stop_reason : null };
}
