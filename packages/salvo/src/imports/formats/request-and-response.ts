import { isRecord } from '../../text/json/is-record.ts';
import { FormError } from '../../trace/forms/form-error.ts';
import { streamReply } from '../../trace/forms/stream/stream-reply.ts';
import { toolErrorText } from '../../trace/forms/tool-output.ts';
import { recordIn, textOf } from './record-fields.ts';

type Fields = Record<string, unknown>;

/** What was sent to a provider, and what it answered. */
export interface Exchange {
  request: Fields;
  /** Undefined if the record has only the request. */
  response: unknown;
  model: string | null;
  /** Tokens that the log itself counted. */
  usage?: unknown;
}

/** Logs of requests: those of proxies, stored completions, and the batches of OpenAI, Anthropic, Gemini and Bedrock. */
export function exchangeIn(record: Fields): Exchange | undefined {
  const { input, output, modelInput, modelOutput, result, body } = record;
  if (isRecord(input) && ('inputBodyJson' in input || 'inputTokenCount' in input)) return invocationLog(record);
  if (isRecord(modelInput)) return pair(modelInput, modelOutput);
  if (typeof record.custom_id === 'string' && isRecord(result)) {
    return pair({}, result.type === 'succeeded' ? result.message : { error: result.error ?? result.type });
  }
  const answer = bodyOf(record.response);
  const request = bodyOf(record.request);
  // The result of an SDK may have its messages in `response`.
  const isAnswer =
    Array.isArray(answer) || (isRecord(answer) && !Array.isArray(answer.messages) && !('text' in record));
  if (
    isRecord(request) ||
    (isAnswer && ('custom_id' in record || 'key' in record || 'status_code' in recordIn(record, 'response')))
  ) {
    return pair(
      isRecord(request) ? request : {},
      answer ?? (isRecord(record.error) ? { error: record.error } : undefined),
    );
  }
  if (isRecord(body) && ('messages' in body || 'input' in body || 'contents' in body)) return pair(body, undefined);
  if (record.object === 'response' && input !== undefined)
    return pair({ input, instructions: record.instructions }, record);
  const isItems = Array.isArray(output) && (Array.isArray(input) || typeof input === 'string');
  return isItems && output.some(isItem) ? pair(record, { object: 'response', ...record }) : undefined;
}

function isItem(item: unknown): boolean {
  return isRecord(item) && typeof item.type === 'string' && ('content' in item || 'call_id' in item);
}

function pair(request: Fields, response: unknown): Exchange {
  const answered = isRecord(response) ? textOf(response, 'model', 'modelVersion') : null;
  return { request, response, model: answered ?? textOf(request, 'model') };
}

/** Batches and proxies have the body beside the status. */
function bodyOf(message: unknown): unknown {
  return isRecord(message) && message.body !== undefined ? message.body : message;
}

/** A log of Bedrock's model invocations. */
function invocationLog(record: Fields): Exchange {
  const input = recordIn(record, 'input');
  const output = recordIn(record, 'output');
  const { outputBodyJson } = output;
  const usage = { input_tokens: input.inputTokenCount, output_tokens: output.outputTokenCount };
  return { ...pair(recordIn(input, 'inputBodyJson'), outputBodyJson), model: textOf(record, 'modelId'), usage };
}

/** An exchange as a conversation that can be read like any other. */
export function exchangeReply({ request, response, model, usage }: Exchange): Fields {
  const asked = request.messages ?? request.contents ?? request.input ?? request.prompt;
  const answer = wholeAnswer(response);
  const messages = [
    ...systemMessages(request),
    ...(typeof asked === 'string' ? [{ role: 'user', content: asked }] : Array.isArray(asked) ? asked : []),
    ...(answer === undefined ? [] : Array.isArray(answer) ? answer : [answer]),
  ];
  const counted = isRecord(answer) ? { usage: answer.usage, usageMetadata: answer.usageMetadata } : {};
  return { messages, ...(usage === undefined ? counted : { usage }), ...(model === null ? {} : { model }) };
}

/** The answer of a provider, also if its pieces were logged; a text is what the model said. */
function wholeAnswer(response: unknown): unknown {
  if (response === undefined || response === null) return undefined;
  const whole = Array.isArray(response) ? joined(response) : response;
  if (typeof whole === 'string') return { role: 'assistant', content: whole };
  if (isRecord(whole) && whole.error !== undefined && whole.error !== null) {
    throw new FormError('it', `reports an error: ${toolErrorText(whole.error) || 'without a message'}`);
  }
  return whole;
}

function joined(chunks: readonly unknown[]): unknown {
  try {
    return streamReply(chunks, { isPartial: false });
  } catch (error) {
    if (error instanceof Error && error.name === 'StreamError') throw new FormError('the response', error.message);
    throw error;
  }
}

/** The instructions that providers take beside the messages. */
export function systemMessages(request: Fields): object[] {
  const inConfig = recordIn(request, 'config');
  const prompts = [request.system, request.instructions, request.system_instruction, request.systemInstruction];
  const prompt = [...prompts, inConfig.system_instruction, inConfig.systemInstruction].find(isPrompt);
  if (isRecord(prompt)) return [{ parts: prompt.parts, role: 'system' }];
  return prompt === undefined ? [] : [{ role: 'system', content: prompt }];
}

function isPrompt(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  return Array.isArray(value) ? value.length > 0 : isRecord(value) && Array.isArray(value.parts);
}
