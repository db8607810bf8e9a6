import type { AdapterTurnResult, ToolDefinition } from '../../../adapters/adapter.ts';
import { judgeExtras } from '../../../judge/prompt/prompt.ts';
import { answerAsText } from '../../../models/answer-as-text.ts';
import type { Bill } from '../../../models/bill.ts';
import type { ModelCaller } from '../../../models/model-caller.ts';
import { jsonValuesIn } from '../../../text/json-in-text.ts';
import type { Message } from '../../../trace/message.ts';
import { prompt } from './prompts.ts';
import { RedModelError } from './red-model-error.ts';

/** Who is asked, and how. The same for all questions of one game. */
export interface Engineer {
  models: ModelCaller;
  adapter: string;
  model: string;
  temperature: number;
  maxTokens: number;
  seed: number;
  bill: Bill;
  signal: AbortSignal | undefined;
}

/** What was read from a value, or what is wrong with it in words that help to do better. */
export type Reading<T> = { value: T } | { problem: string };

export interface Question<T> {
  text: string;
  tool: ToolDefinition;
  read(value: unknown): Reading<T>;
}

/**
 * Asks a model to hand something in through a tool, and once more when that cannot be used. Rejects with a
 * `RedTeamError` when it still cannot, or when there is no answer. What stops it from outside passes through as it is.
 */
export async function askEngineer<T>(engineer: Engineer, { text, tool, read }: Question<T>): Promise<T> {
  const messages: Message[] = [
    { role: 'system', content: prompt('engineer') },
    { role: 'user', content: text },
  ];
  const first = await send(engineer, messages, tool);
  const reading = readAnswer(first, tool, read);
  if ('value' in reading) return reading.value;
  const second = await send(
    engineer,
    [
      ...messages,
      { role: 'assistant', content: answerAsText(first) || '(no answer)', tool_calls: [] },
      { role: 'user', content: prompt('repair', { problem: reading.problem, tool: tool.name }) },
    ],
    tool,
  );
  const again = readAnswer(second, tool, read);
  if ('value' in again) return again.value;
  const limit = second.finish_reason === 'length' ? ' Raise maxTokens.' : '';
  throw new RedModelError(
    'RED_ANSWER',
    `${engineer.model} wrote nothing that can be used, also when asked again. ${again.problem}${limit}`,
    { usage: engineer.bill.usage() },
  );
}

async function send(engineer: Engineer, messages: Message[], tool: ToolDefinition): Promise<AdapterTurnResult> {
  const { models, adapter, model, temperature, maxTokens, seed, bill, signal } = engineer;
  signal?.throwIfAborted();
  try {
    const reply = await models.call({
      adapter,
      messages,
      tools: [tool],
      config: {
        model,
        temperature,
        max_tokens: maxTokens,
        extras: judgeExtras(models.providerName(adapter), tool.name),
        signal,
        conversation: { seed, trial_number: 1, request: bill.requests() },
      },
    });
    bill.add(reply);
    return reply.result;
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new RedModelError('RED_MODEL_FAILED', `${model} could not be asked: ${reason}`, {
      usage: bill.usage(),
      cause,
    });
  }
}

/** From the tool call, else from JSON in the text. Of several readings the first that can be used. */
function readAnswer<T>(result: AdapterTurnResult, tool: ToolDefinition, read: Question<T>['read']): Reading<T> {
  const { content, tool_calls, finish_reason } = result;
  const calls = tool_calls.filter(({ name }) => name === tool.name);
  const broken = calls.find(({ raw_arguments }) => raw_arguments !== undefined);
  const texts = [...calls.flatMap(({ raw_arguments }) => raw_arguments ?? []), content ?? ''];
  const cutOff = finish_reason === 'length' ? ' It was cut off at the limit of tokens: write less code.' : '';
  let problem: string | null = null;
  for (const value of valuesIn(calls, texts)) {
    const reading = read(value);
    if ('value' in reading) return reading;
    problem ??= reading.problem;
  }
  if (broken) problem = `The arguments of ${tool.name} were not a JSON object.`;
  if (finish_reason === 'refusal' || finish_reason === 'content_filter') problem ??= 'The model refused.';
  problem ??= `It neither called ${tool.name} nor held a JSON object.`;
  return { problem: `${problem}${cutOff}` };
}

function* valuesIn(
  calls: readonly { arguments: Record<string, unknown>; raw_arguments?: string | undefined }[],
  texts: readonly string[],
): Generator<unknown> {
  for (const call of calls) if (call.raw_arguments === undefined) yield call.arguments;
  for (const text of texts) yield* jsonValuesIn(text);
}
