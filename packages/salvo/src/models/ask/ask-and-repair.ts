import type { AdapterConfig, AdapterTurnResult, Conversation, ToolDefinition } from '../../adapters/adapter.ts';
import { AdapterError } from '../../adapters/adapter-error.ts';
import { startWorkClock, type WorkClock } from '../../adapters/call/work-clock.ts';
import type { DecisionQuestion } from '../../adapters/decision-question.ts';
import { EMBEDDING_TOOL } from '../../adapters/embedding.ts';
import { once } from '../../text/memo.ts';
import { dataFile } from '../../text/modules/data-file.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import type { Message } from '../../trace/message.ts';
import { toolArgumentsText } from '../../trace/tool-arguments.ts';
import type { Bill } from '../call/bill.ts';
import type { ModelCaller, ModelReply } from '../call/model-caller.ts';
import { fillTemplate } from './prompts.ts';
import { isWholeAgent, toolChoiceExtras } from './tool-choice.ts';

/**
 * What was read from an answer, or what is wrong with it, in words that help the model to do better. A value with a
 * problem is taken if the second answer has none.
 */
export type Reading<T> = { value: T; problem?: string } | { problem: string };

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
  /** Random text in the messages. */
  nonce?: string | undefined;
  signal?: AbortSignal | undefined;
  /** How long the whole question may take, with retries and repair, but without waits for a free place. */
  timeoutSeconds?: number | undefined;
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

/** The answer was read, could not be read twice, was refused, or a call failed. */
export type Answer<T> =
  | { outcome: 'read'; value: T; repaired: boolean }
  /** `result` is the second answer. */
  | { outcome: 'unreadable'; problem: string; result: AdapterTurnResult }
  /** The model refused, or a content filter blocked its answer: asking again would be refused again. */
  | { outcome: 'refused'; reason: string; result: AdapterTurnResult; repaired: boolean }
  /** `result` is the first answer, when it was the second call that failed. */
  | { outcome: 'failed'; error: unknown; result: AdapterTurnResult | null };

/** How long a question may take when nothing else is said: as long as a trial. */
const DEFAULT_QUESTION_SECONDS = 300;

/**
 * Asks a model, and asks once more when its answer cannot be read. Does not ask again when it refused. Never rejects,
 * unless `read` throws.
 */
export async function askAndRepair<T>(asked: AskedModel, question: Question<T>): Promise<Answer<T>> {
  const { messages, tool, read, conversation, whenCutOff = 'be brief' } = question;
  using clock = clockOf(asked);
  const first = await send(asked, question, messages, conversation, clock);
  if ('error' in first) return { outcome: 'failed', error: first.error, result: null };
  const refusal = refusalIn(first.reply.result);
  if (refusal !== null) return { outcome: 'refused', reason: refusal, result: first.reply.result, repaired: false };
  const reading = read(first.reply.result);
  if ('value' in reading && reading.problem === undefined) {
    return { outcome: 'read', value: reading.value, repaired: false };
  }

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
  const later = { ...conversation, request: conversation.request + requests };
  const second = await send(asked, question, followUp, later, clock);
  const refusedNow = 'error' in second ? null : refusalIn(second.reply.result);
  const again = 'error' in second || refusedNow !== null ? reading : read(second.reply.result);
  const taken = 'value' in again ? again : reading;
  if ('value' in taken) return { outcome: 'read', value: taken.value, repaired: true };
  if ('error' in second) return { outcome: 'failed', error: second.error, result };
  const last = second.reply.result;
  if (refusedNow !== null) return { outcome: 'refused', reason: refusedNow, result: last, repaired: true };
  return { outcome: 'unreadable', problem: again.problem ?? '', result: last };
}

/** Asks a decision model, whose answer would be the same if it were asked again. Never rejects. */
export async function askForDecision(
  asked: AskedModel,
  question: Omit<Question<unknown>, 'read' | 'whenCutOff'> & { decision: readonly DecisionQuestion[] },
): Promise<{ reply: ModelReply } | { error: unknown }> {
  using clock = clockOf(asked);
  return await send(asked, question, question.messages, question.conversation, clock);
}

/** Asks an embedding model for an embedding of each text. Never rejects. */
export async function askForEmbeddings(
  asked: Omit<AskedModel, 'temperature' | 'maxTokens' | 'nonce'>,
  { texts, conversation }: { texts: readonly string[]; conversation: Conversation },
): Promise<{ reply: ModelReply } | { error: unknown }> {
  using clock = clockOf(asked);
  const messages = texts.map((content): Message => ({ role: 'user', content }));
  return await send({ ...asked, maxTokens: 0 }, { tool: EMBED, embed: true }, messages, conversation, clock);
}

/** For programs, which answer by calling it, or with its arguments as text. */
const EMBED: ToolDefinition = {
  name: EMBEDDING_TOOL,
  description: 'Gives an embedding of each message: lists of numbers of the same length, in the order of the messages.',
  parameters: {
    type: 'object',
    properties: { embeddings: { type: 'array', items: { type: 'array', items: { type: 'number' } } } },
    required: ['embeddings'],
  },
};

function clockOf({
  timeoutSeconds: seconds = DEFAULT_QUESTION_SECONDS,
  model,
  signal,
}: Pick<AskedModel, 'timeoutSeconds' | 'model' | 'signal'>): WorkClock {
  const timeoutError = () => new AdapterError('timeout', `${model} gave no answer within ${seconds} s, with retries.`);
  return startWorkClock({ seconds, timeoutError, abort: signal });
}

/** Why there is no answer in a turn, in words that follow the model's name; null when the model did not refuse. */
function refusalIn({ finish_reason, content }: AdapterTurnResult): string | null {
  if (finish_reason === 'content_filter') return "gave no answer: the provider's content filter blocked it";
  if (finish_reason !== 'refusal') return null;
  const words = quoteOutput(content ?? '', { length: 200 })
    .replaceAll(/\s+/g, ' ')
    .trim();
  return words === '' ? 'refused, without a reason' : `refused: ${words}`;
}

export function isCutOff({ finish_reason }: Pick<AdapterTurnResult, 'finish_reason'>): boolean {
  return finish_reason === 'length';
}

async function send(
  {
    models,
    adapter,
    model,
    temperature,
    maxTokens,
    nonce,
    bill,
  }: Omit<AskedModel, 'temperature'> & { temperature?: number },
  { tool, decision, embed }: { tool: ToolDefinition; decision?: readonly DecisionQuestion[]; embed?: boolean },
  messages: Message[],
  conversation: Conversation,
  clock: WorkClock,
): Promise<{ reply: ModelReply } | { error: unknown }> {
  const { signal } = clock;
  try {
    const provider = models.providerName(adapter);
    const asks = { model, temperature, maxTokens, signal, conversation, nonce, decision };
    const extras = embed
      ? embedExtras(provider)
      : decision
        ? decisionExtras(provider, decision)
        : toolChoiceExtras(provider, tool.name);
    const config: AdapterConfig = { ...asks, extras, ...(embed && { embed }) };
    const reply = await untilAborted(
      models.call({
        adapter,
        messages,
        tools: embed && !isWholeAgent(provider) ? [] : [tool],
        config,
        clock,
        onRetry: () => bill.addRetry(),
        onUnknownCost: () => bill.addUnknownCost(),
      }),
      signal,
    );
    bill.add(reply);
    return { reply };
  } catch (error) {
    // When the time is up, the error of the call is only a consequence of being stopped.
    return { error: signal.reason instanceof AdapterError ? signal.reason : error };
  }
}

/** A program gets the questions as data, beside the text that has them, too. */
function decisionExtras(provider: string, questions: readonly DecisionQuestion[]): Record<string, unknown> | undefined {
  return isWholeAgent(provider) ? { questions } : undefined;
}

/** A program is told what is wanted of it. */
function embedExtras(provider: string): Record<string, unknown> | undefined {
  return isWholeAgent(provider) ? { embed: true } : undefined;
}

/** Does not wait for a call that ignores its signal: a judge that is a plain function may never end. */
async function untilAborted<T>(call: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  // One turn later, so that a call that reacts to the signal can say why it ended.
  const later = () => setImmediate(onAbort);
  signal.addEventListener('abort', later, { once: true });
  try {
    return await Promise.race([call, aborted]);
  } finally {
    signal.removeEventListener('abort', later);
  }
}

const repairPrompt = once(() => dataFile(import.meta.url, './repair.md').trimEnd());

/** A longer answer is cut: it is only quoted back to the model, which is paid for again. */
const LONGEST_ANSWER = 20_000;

/** The answer as text, tool calls included: a provider refuses a conversation with a tool call that has no result. */
export function answerAsText({ content, tool_calls }: AdapterTurnResult): string {
  const calls = tool_calls.map(
    ({ name, arguments: args, raw_arguments }) => `${name}(${raw_arguments ?? toolArgumentsText(args)})`,
  );
  return [content ?? '', ...calls].join('\n').trim().slice(0, LONGEST_ANSWER);
}
