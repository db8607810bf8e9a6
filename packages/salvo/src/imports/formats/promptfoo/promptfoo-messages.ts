import { isRecord } from '../../../text/json/is-record.ts';
import { parseJson } from '../../../text/json/json-in-text.ts';
import { toolOutputText } from '../../../trace/forms/tool-output.ts';
import { listIn, recordIn, textOf } from '../record-fields.ts';

type Fields = Record<string, unknown>;

/**
 * The conversation of a result of promptfoo: what a provider with several turns recorded as such, or the prompt and the
 * response to it.
 */
export function promptfooMessages(result: Fields): unknown[] {
  const response = recordIn(result, 'response');
  const metadata = [recordIn(response, 'metadata'), recordIn(result, 'metadata')];
  const recorded = metadata.map(recordedMessages).find((messages) => messages.length > 0);
  if (recorded) return recorded;
  const answer = response.output === undefined || response.output === null ? [] : [answerOf(response.output)];
  return [...promptMessages(result), ...answer];
}

/** Simulated users leave the messages in the metadata, attacks over several turns leave pairs of prompt and output. */
function recordedMessages(metadata: Fields): unknown[] {
  const messages = listIn(metadata, 'messages');
  if (messages.some((message) => isRecord(message) && message.role === 'assistant')) return [...messages];
  return listIn(metadata, 'redteamHistory').flatMap((turn) => {
    if (!isRecord(turn)) return [];
    const { prompt, output } = turn;
    return [
      ...(typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : []),
      ...(output === undefined || output === null ? [] : [answerOf(output)]),
    ];
  });
}

/** A prompt is a text, or a chat that is written as JSON. */
function promptMessages(result: Fields): unknown[] {
  const { prompt } = result;
  const raw = isRecord(prompt) ? textOf(prompt, 'raw') : textOf(result, 'prompt');
  if (raw === null) return [];
  const chat = parseJson(raw.trim());
  const messages = isRecord(chat) ? (chat.messages ?? chat.contents) : chat;
  const isChat =
    Array.isArray(messages) &&
    messages.length > 0 &&
    messages.every((message) => isRecord(message) && ('role' in message || 'parts' in message));
  return isChat ? messages : [{ role: 'user', content: raw }];
}

/** An output is a text, the calls of tools, a message, or a value that the model was to give as JSON. */
function answerOf(output: unknown): unknown {
  if (typeof output === 'string') return answerOfText(output);
  if (Array.isArray(output) && output.length > 0 && output.every(isCall)) {
    return { role: 'assistant', content: null, tool_calls: output };
  }
  if (isRecord(output)) {
    if (output.role === 'assistant' || Array.isArray(output.tool_calls))
      return { content: null, ...output, role: 'assistant' };
    if (isRecord(output.function_call)) return { content: null, ...output, role: 'assistant' };
    if (isCall(output)) return { role: 'assistant', content: null, tool_calls: [output] };
  }
  return { role: 'assistant', content: toolOutputText(output) };
}

function isCall(value: unknown): boolean {
  return isRecord(value) && isRecord(value.function) && typeof value.function.name === 'string';
}

const USE = '{"type":"tool_use"';

/** Of an answer of Anthropic's, promptfoo writes the calls as JSON between the texts, with an empty line around each. */
function answerOfText(output: string): unknown {
  const calls = output.includes('tool_calls') ? parseJson(output.trim()) : undefined;
  if (isRecord(calls) && Array.isArray(calls.tool_calls)) return { content: null, ...calls, role: 'assistant' };
  if (!output.includes(USE)) return { role: 'assistant', content: output };
  const content = output.split('\n\n').map((piece) => {
    const block = piece.startsWith(USE) ? parseJson(piece) : undefined;
    return isRecord(block) && typeof block.name === 'string' ? block : { type: 'text', text: piece };
  });
  return { role: 'assistant', content };
}
