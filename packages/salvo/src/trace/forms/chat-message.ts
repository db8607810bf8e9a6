import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { ownFiles } from '../files/medium-file.ts';
import { type Step, stepSchema } from '../message.ts';
import { readAiSdkLists } from './ai-sdk-parts.ts';
import { hasToolResults, readContent } from './content.ts';
import type { Conversation } from './conversation.ts';
import { FormError, readAs } from './form-error.ts';
import { assistantSink, readIntoText, resultSink } from './part-sink.ts';
import { toolErrorText, toolOutput, toolOutputText } from './tool-output.ts';
import { usageSchema } from './usage.ts';

/** A tool call as agents write it: ours, OpenAI's with `function` and its arguments as JSON text, LangChain's `args`. */
const toolCallSchema = z.preprocess(
  (value) =>
    isRecord(value) && isRecord(value.function)
      ? { id: value.id, name: value.function.name, arguments: value.function.arguments }
      : customCall(value),
  z.object({
    id: z.string().nullish(),
    name: z.string().min(1),
    arguments: z.unknown().optional(),
    args: z.unknown().optional(),
    raw_arguments: z.string().optional(),
  }),
);

const assistantSchema = z.object({
  content: z.unknown().optional(),
  refusal: z.string().nullish(),
  reasoning: z.unknown().optional(),
  /** DeepSeek's and vLLM's name for it. */
  reasoning_content: z.unknown().optional(),
  tool_calls: z.array(toolCallSchema).nullish(),
  /** OpenAI, before it had `tool_calls`. */
  function_call: z.object({ name: z.string().min(1), arguments: z.unknown().optional() }).nullish(),
  /** What the AI SDK calls them, in an answer that is put together by hand. */
  toolCalls: z.array(z.looseObject({})).nullish(),
  toolResults: z.array(z.looseObject({})).nullish(),
  audio: z.object({ transcript: z.string().nullish() }).nullish(),
  provider_state: z.unknown().optional(),
  usage: usageSchema,
  /** Who speaks, in OpenAI's and LangChain's messages. */
  name: z.unknown().optional(),
  /** Ours. Messages of others may have fields of these names that mean something else. */
  agent: z.unknown().optional(),
  step: stepSchema.optional().catch(undefined),
  /** What Strands adds to Bedrock's messages. */
  metadata: z
    .object({ usage: usageSchema, metrics: z.object({ latencyMs: z.number().nonnegative() }).nullish() })
    .nullish()
    .catch(undefined),
});

const toolSchema = z.object({
  tool_call_id: z.string().nullish(),
  toolCallId: z.string().nullish(),
  /** The id of the call in some benchmarks' logs, the id of the message itself elsewhere. */
  id: z.unknown().optional(),
  name: z.string().nullish(),
  content: z.unknown().optional(),
  is_error: z.boolean().nullish(),
  isError: z.boolean().nullish(),
  /** Whether it failed, or what the error was. */
  error: z.unknown().optional(),
});

/** The messages that have a role and a content: ours, OpenAI's, Anthropic's and the AI SDK's. */
export function readChatMessage(message: Record<string, unknown>, into: Conversation, place: string): void {
  const { role, content } = message;
  const readText = (as: 'user' | 'system'): void =>
    readIntoText(into, as, (sink) => readContent(content, sink, `${place}.content`), ownFiles(message.files));
  if (role === 'system' || role === 'developer') readText('system');
  else if (role === 'user') readText('user');
  else if (role === 'assistant') into.assistant(() => readAssistantMessage(message, into, place));
  else if (role === 'tool' || role === 'tool_result' || role === 'function') readToolMessage(message, into, place);
  else {
    throw new FormError(
      `${place}.role:`,
      'expected a message whose role is system, user, assistant or tool_result (or tool)',
    );
  }
}

/** What an assistant message says and calls; also for an answer that names no role. */
export function readAssistantMessage(message: Record<string, unknown>, into: Conversation, place: string): void {
  const given = readAs(assistantSchema, message, place);
  const sink = assistantSink(into);
  for (const thought of [given.reasoning, given.reasoning_content]) into.think(toolOutputText(thought));
  readContent(given.content, sink, `${place}.content`);
  into.attach(ownFiles(message.files));
  for (const text of [given.refusal, given.audio?.transcript]) if (text) into.say(text);
  const toolCalls = given.toolCalls?.map((call) => ({ toolCallId: call.id, toolName: call.name, ...call }));
  readAiSdkLists({ toolCalls }, sink, `${place}.`);
  for (const { args, ...call } of given.tool_calls ?? []) into.call({ ...call, arguments: call.arguments ?? args });
  if (given.function_call) into.call(given.function_call);
  readAiSdkLists({ toolResults: given.toolResults }, sink, `${place}.`);
  into.keepState(given.provider_state);
  into.count(given.usage ?? given.metadata?.usage ?? null);
  into.figures({ ...given.step, ...secondsOf(given.metadata?.metrics?.latencyMs) });
  into.spokenBy(given.agent ?? given.name);
}

function secondsOf(milliseconds: number | undefined): Pick<Step, 'latency_seconds'> {
  return milliseconds === undefined ? {} : { latency_seconds: milliseconds / 1000 };
}

function readToolMessage(message: Record<string, unknown>, into: Conversation, place: string): void {
  if (hasToolResults(message.content)) {
    readContent(message.content, resultSink(into), `${place}.content`);
    return;
  }
  const given = readAs(toolSchema, message, place);
  const { name, error } = given;
  const ofCall = typeof given.id === 'string' && into.isOpen(given.id) ? given.id : undefined;
  const { content: text, files } = toolOutput(given.content);
  into.result({
    id: given.tool_call_id ?? given.toolCallId ?? ofCall,
    name,
    files: files ?? ownFiles(message.files),
    content: text === '' && typeof error !== 'boolean' ? toolErrorText(error) : text,
    is_error:
      given.is_error ?? given.isError ?? (error !== undefined && error !== null && error !== false && error !== ''),
  });
}

/** OpenAI's custom tools take a text instead of arguments. */
function customCall(value: unknown): unknown {
  if (!isRecord(value) || !isRecord(value.custom)) return value;
  return { id: value.id, name: value.custom.name, arguments: { input: value.custom.input } };
}
