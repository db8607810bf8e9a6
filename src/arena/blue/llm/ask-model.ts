import type { AdapterTurnResult, ToolDefinition } from '../../../adapters/adapter.ts';
import { judgeExtras } from '../../../judge/prompt/prompt.ts';
import { answerAsText } from '../../../models/answer-as-text.ts';
import type { Bill } from '../../../models/bill.ts';
import type { ModelCaller, ModelReply } from '../../../models/model-caller.ts';
import type { Message } from '../../../trace/message.ts';
import { abortedError, BlueTeamError } from '../blue-team-error.ts';
import { prompt } from './prompts.ts';

/** Who is asked, and how. The same for all questions of one Blue Team. */
export interface Analyst {
  models: ModelCaller;
  adapter: string;
  model: string;
  temperature: number;
  maxTokens: number;
  seed: number;
  bill: Bill;
  signal: AbortSignal | undefined;
}

export type Reading<T> = { value: T } | { problem: string };

/**
 * Asks a model to hand something in through a tool, and once more when its answer cannot be read. Rejects with a
 * `BlueTeamError` when it still cannot, or when there is no answer: no answer is not "nothing found".
 */
export async function askModel<T>(
  analyst: Analyst,
  {
    messages,
    tool,
    read,
  }: { messages: Message[]; tool: ToolDefinition; read: (result: AdapterTurnResult) => Reading<T> },
): Promise<T> {
  const first = await send(analyst, messages, tool, 0);
  const reading = read(first.result);
  if ('value' in reading) return reading.value;
  const cutOff = first.result.finish_reason === 'length' ? ' It was cut off at the limit of tokens: be brief.' : '';
  const followUp: Message[] = [
    ...messages,
    { role: 'assistant', content: answerAsText(first.result) || '(no answer)', tool_calls: [] },
    { role: 'user', content: prompt('repair', { problem: `${reading.problem}${cutOff}`, tool: tool.name }) },
  ];
  const second = await send(analyst, followUp, tool, first.requests);
  const again = read(second.result);
  if ('value' in again) return again.value;
  const limit = second.result.finish_reason === 'length' ? ' It was cut off: raise maxTokens.' : '';
  throw new BlueTeamError(
    'MODEL_ANSWER',
    `${analyst.model} did not answer in a way that can be read. ${again.problem}${limit}`,
  );
}

async function send(analyst: Analyst, messages: Message[], tool: ToolDefinition, request: number): Promise<ModelReply> {
  const { models, adapter, model, signal, seed } = analyst;
  if (signal?.aborted) throw abortedError(model, signal);
  try {
    const reply = await models.call({
      adapter,
      messages,
      tools: [tool],
      config: {
        model,
        temperature: analyst.temperature,
        max_tokens: analyst.maxTokens,
        extras: judgeExtras(models.providerName(adapter), tool.name),
        signal,
        conversation: { seed, trial_number: 1, request },
      },
    });
    analyst.bill.add(reply);
    return reply;
  } catch (cause) {
    if (signal?.aborted) throw abortedError(model, signal);
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BlueTeamError('MODEL_FAILED', `${model} could not be asked: ${reason}`, { cause });
  }
}
