import type { AdapterConfig, AdapterTurnResult, Conversation, ToolDefinition } from '../adapters/adapter.ts';
import { dataFile } from '../text/data-file.ts';
import type { Message } from '../trace/message.ts';
import { answerAsText } from './answer-as-text.ts';
import type { Bill } from './bill.ts';
import type { ModelCaller, ModelReply } from './model-caller.ts';
import { fillTemplate } from './prompts.ts';
import { toolChoiceExtras } from './tool-choice.ts';

/** What was read from an answer, or what is wrong with it, in words that help the model to do better. */
export type Reading<T> = { value: T } | { problem: string };

/** The model to ask, and how. */
export interface AskedModel {
  models: ModelCaller;
  /** The adapter's name, as in a scenario. */
  adapter: string;
  model: string;
  temperature: number;
  maxTokens: number;
  /** Every answer is added to it, including those that cannot be read. */
  bill: Bill;
  signal?: AbortSignal | undefined;
}

export interface Question<T> {
  messages: Message[];
  /** The model is made to answer by calling it. */
  tool: ToolDefinition;
  read(result: AdapterTurnResult): Reading<T>;
  /** `request` is the ordinal of the first request. */
  conversation: Conversation;
  /** Advice for an answer that was cut off at the limit of tokens. */
  whenCutOff?: string | undefined;
}

/** Three outcomes: the answer was read, could not be read twice, or a call failed. */
export type Answer<T> =
  | { outcome: 'read'; value: T; repaired: boolean }
  /** `result` is the second answer. */
  | { outcome: 'unreadable'; problem: string; result: AdapterTurnResult }
  /** `result` is the first answer, when it was the second call that failed. */
  | { outcome: 'failed'; error: unknown; result: AdapterTurnResult | null };

/** Asks a model, and asks once more when its answer cannot be read. Never rejects, unless `read` throws. */
export async function askAndRepair<T>(asked: AskedModel, question: Question<T>): Promise<Answer<T>> {
  const { messages, tool, read, conversation, whenCutOff = 'be brief' } = question;
  const first = await send(asked, question, messages, conversation);
  if ('error' in first) return { outcome: 'failed', error: first.error, result: null };
  const reading = read(first.reply.result);
  if ('value' in reading) return { outcome: 'read', value: reading.value, repaired: false };

  const { result, requests } = first.reply;
  if (asked.signal?.aborted) return { outcome: 'failed', error: asked.signal.reason, result };
  const cutOff = isCutOff(result) ? ` It was cut off at the limit of tokens: ${whenCutOff}.` : '';
  const followUp: Message[] = [
    ...messages,
    { role: 'assistant', content: answerAsText(result) || '(no answer)', tool_calls: [] },
    {
      role: 'user',
      content: fillTemplate(repairPrompt(), { problem: `${reading.problem}${cutOff}`, tool: tool.name }),
    },
  ];
  const second = await send(asked, question, followUp, { ...conversation, request: conversation.request + requests });
  if ('error' in second) return { outcome: 'failed', error: second.error, result };
  const again = read(second.reply.result);
  if ('value' in again) return { outcome: 'read', value: again.value, repaired: true };
  return { outcome: 'unreadable', problem: again.problem, result: second.reply.result };
}

export function isCutOff({ finish_reason }: Pick<AdapterTurnResult, 'finish_reason'>): boolean {
  return finish_reason === 'length';
}

async function send<T>(
  { models, adapter, model, temperature, maxTokens, bill, signal }: AskedModel,
  { tool }: Question<T>,
  messages: Message[],
  conversation: Conversation,
): Promise<{ reply: ModelReply } | { error: unknown }> {
  try {
    const extras = toolChoiceExtras(models.providerName(adapter), tool.name);
    const config: AdapterConfig = { model, temperature, maxTokens, extras, signal, conversation };
    const reply = await models.call({ adapter, messages, tools: [tool], config });
    bill.add(reply);
    return { reply };
  } catch (error) {
    return { error };
  }
}

let repair: string | undefined;

function repairPrompt(): string {
  repair ??= dataFile(import.meta.url, './repair.md').trimEnd();
  return repair;
}
