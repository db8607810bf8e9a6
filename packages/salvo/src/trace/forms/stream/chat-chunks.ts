import { z } from 'zod';
import { isRecord } from '../../../text/json/is-record.ts';
import { readAs } from '../form-error.ts';
import { brokeOff } from './stream-error.ts';

const callSchema = z.object({
  index: z.int().nonnegative().nullish(),
  id: z.string().nullish(),
  type: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
  custom: z.object({ name: z.string().nullish(), input: z.string().nullish() }).nullish(),
});
const deltaSchema = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.unknown().optional(),
  tool_calls: z.array(callSchema).nullish(),
});
const chunkSchema = z.object({
  id: z.string().nullish(),
  model: z.string().nullish(),
  usage: z.unknown().optional(),
  choices: z.array(
    z.object({
      index: z.int().nullish(),
      delta: deltaSchema.nullish(),
      message: deltaSchema.nullish(),
      finish_reason: z.string().nullish(),
    }),
  ),
});

type Call = z.infer<typeof callSchema>;

/** A chat completion that was sent in pieces. */
interface Joined {
  model?: string | undefined;
  usage?: unknown;
  finish_reason: string | null;
  content: string | null;
  refusal: string | null;
  reasoning: string;
  calls: Map<number, { id: string; name: string; input: string; isCustom: boolean }>;
}

/** Not all servers with this API name the kind of a chunk. */
export function isChatChunk({ object, choices }: Record<string, unknown>): boolean {
  if (object === 'chat.completion.chunk') return true;
  return Array.isArray(choices) && choices.some((choice) => isRecord(choice) && isRecord(choice.delta));
}

/** The chunks of a chat completion of OpenAI, or of a server with its API, as the completion. */
export function joinChatChunks(chunks: readonly unknown[], { isPartial }: { isPartial: boolean }): unknown {
  const joined: Joined = { ...emptyAnswer(), finish_reason: null };
  for (const [index, chunk] of chunks.entries()) addChunk(joined, readAs(chunkSchema, chunk, `stream[${index}]`));
  const { model, usage, finish_reason } = joined;
  if (!isPartial && finish_reason === null) throw brokeOff('a finish_reason');
  return { object: 'chat.completion', model, usage, choices: [{ message: messageOf(joined), finish_reason }] };
}

function emptyAnswer(): Omit<Joined, 'finish_reason'> {
  return { content: null, refusal: null, reasoning: '', calls: new Map() };
}

function addChunk(joined: Joined, { model, usage, choices }: z.infer<typeof chunkSchema>): void {
  joined.model = model ?? joined.model;
  joined.usage = usage ?? joined.usage;
  const choice = choices.find(({ index }) => (index ?? 0) === 0);
  if (!choice) return;
  joined.finish_reason = choice.finish_reason ?? joined.finish_reason;
  const { delta, message } = choice;
  // Some servers end with the whole message.
  if (!delta && message) Object.assign(joined, emptyAnswer());
  const { content, refusal, reasoning_content, reasoning, tool_calls } = delta ?? message ?? {};
  if (content) joined.content = (joined.content ?? '') + content;
  if (refusal) joined.refusal = (joined.refusal ?? '') + refusal;
  joined.reasoning += reasoning_content ?? (typeof reasoning === 'string' ? reasoning : '');
  for (const call of tool_calls ?? []) addCall(joined, call);
}

function addCall({ calls }: Joined, call: Call): void {
  // Servers that send a call at once may leave out its index.
  const index = call.index ?? (call.id ? calls.size : Math.max(0, calls.size - 1));
  const made = calls.get(index) ?? { id: '', name: '', input: '', isCustom: call.custom != null };
  calls.set(index, made);
  made.id ||= call.id ?? '';
  made.name += call.function?.name ?? call.custom?.name ?? '';
  made.input += call.function?.arguments ?? call.custom?.input ?? '';
}

function messageOf({ content, refusal, reasoning, calls }: Joined): object {
  const tool_calls = [...calls.values()].map(({ id, name, input, isCustom }) =>
    isCustom ? { id, custom: { name, input } } : { id, function: { name, arguments: input } },
  );
  return { role: 'assistant', content, refusal, ...(reasoning === '' ? {} : { reasoning }), tool_calls };
}
