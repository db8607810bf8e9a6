import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { readAiSdkLists } from './ai-sdk-parts.ts';
import { readPart } from './content.ts';
import type { Conversation } from './conversation.ts';
import { readAs } from './form-error.ts';
import { assistantSink } from './part-sink.ts';
import { readMessages } from './read-messages.ts';
import { toolOutputText } from './tool-output.ts';
import { addFigures, usageSchema } from './usage.ts';

interface Generated {
  kind: 'answer';
  finish_reason?: string | null;
  model?: string;
}

const entries = z.array(z.looseObject({})).nullish();
const stepSchema = z.object({
  content: z.array(z.unknown()).nullish(),
  usage: usageSchema,
  text: z.string().nullish(),
  reasoningText: z.string().nullish(),
  toolCalls: entries,
  toolResults: entries,
  performance: z.object({ responseTimeMs: z.number().nonnegative() }).nullish().catch(undefined),
  response: z.looseObject({ modelId: z.unknown() }).nullish().catch(undefined),
});
type Step = z.infer<typeof stepSchema>;

/** A result of the AI SDK's `generateText` or of Mastra's `generate`, whole or as its steps; also what version 4 returned. */
export function readGenerated(reply: Record<string, unknown>, into: Conversation): Generated | undefined {
  if (reply.messages !== undefined && !isMastra(reply)) return undefined;
  const { steps, response, text, toolCalls, toolResults } = reply;
  const isResponse = isRecord(response) && Array.isArray(response.messages);
  if (isResponse && isMastra(reply)) {
    const generated = responseMessages(response, into);
    if (Array.isArray(steps)) addFiguresOfSteps(steps, into);
    return generated;
  }
  if (
    Array.isArray(steps) &&
    steps.some((step) => isRecord(step) && (Array.isArray(step.content) || isMastraStep(step)))
  ) {
    return readSteps(steps, into);
  }
  if (isResponse) return responseMessages(response, into);
  if (typeof text !== 'string' || !(Array.isArray(toolCalls) || 'finishReason' in reply)) return undefined;
  const given = readAs(stepSchema, { text, toolCalls, toolResults }, 'the reply');
  into.assistant(() => readLists(given, into, ''));
  return { kind: 'answer' };
}

function responseMessages(response: Record<string, unknown>, into: Conversation): Generated {
  readMessages(response.messages, into, 'response.messages');
  return { kind: 'answer', ...(typeof response.modelId === 'string' ? { model: response.modelId } : {}) };
}

function readSteps(steps: readonly unknown[], into: Conversation): Generated {
  for (const [index, given] of steps.entries()) {
    const place = `steps[${index}]`;
    const step = readAs(stepSchema, given, place);
    into.assistant(() => {
      if (isMastraStep(given) || !step.content) readLists(step, into, `${place}.`);
      else {
        const sink = assistantSink(into);
        for (const [part, value] of step.content.entries()) readPart(value, sink, `${place}.content[${part}]`);
      }
    });
    into.count(step.usage);
    into.figures(figuresOf(step));
  }
  const last = steps.at(-1);
  const reason = isRecord(last) && typeof last.finishReason === 'string' ? last.finishReason : null;
  const model = isRecord(last) && isRecord(last.response) ? last.response.modelId : undefined;
  return { kind: 'answer', finish_reason: reason, ...(typeof model === 'string' ? { model } : {}) };
}

function figuresOf({ performance, response }: Step) {
  const model = typeof response?.modelId === 'string' ? response.modelId : null;
  return { model, latency_seconds: performance ? performance.responseTimeMs / 1000 : null };
}

/** The answers of Mastra's result are messages, and their figures are in its steps: one for each answer. */
function addFiguresOfSteps(steps: readonly unknown[], into: Conversation): void {
  const answers = into.messages.filter((message) => message.role === 'assistant');
  if (answers.length !== steps.length) return;
  for (const [index, answer] of answers.entries()) {
    const step = readAs(stepSchema, steps[index], `steps[${index}]`);
    addFigures(answer, { ...step.usage, ...figuresOf(step) });
  }
}

/** The texts, calls and results of a step that has them in lists. Mastra wraps each in a `payload`. */
function readLists({ text, reasoningText, toolCalls, toolResults }: Step, into: Conversation, place: string): void {
  const sink = assistantSink(into);
  into.think(reasoningText ?? '');
  if (text) into.say(toolOutputText(text));
  readAiSdkLists({ toolCalls: toolCalls?.map(payloadOf), toolResults: toolResults?.map(payloadOf) }, sink, place);
}

function payloadOf(entry: Record<string, unknown>): Record<string, unknown> {
  return isRecord(entry.payload) ? entry.payload : entry;
}

/** Mastra's result has its messages in the form in which Mastra stores them, and more than those of the answer. */
function isMastra({ steps, messages }: Record<string, unknown>): boolean {
  const isStored = (message: unknown): boolean => isRecord(message) && isRecord(message.content);
  return (Array.isArray(steps) && steps.some(isMastraStep)) || (Array.isArray(messages) && messages.some(isStored));
}

/** The `content` of such a step lacks all but the last of the calls that the model made at once. */
function isMastraStep(step: unknown): boolean {
  if (!isRecord(step)) return false;
  const isWrapped = (entry: unknown): boolean => isRecord(entry) && isRecord(entry.payload);
  const lists = [step.toolCalls, step.toolResults, step.reasoning];
  if (lists.some((list) => Array.isArray(list) && list.some(isWrapped))) return true;
  return isRecord(step.response) && 'dbMessages' in step.response;
}
