import { isRecord } from '../../../text/json/is-record.ts';
import { mediaName } from '../../../trace/files/media-type.ts';
import { isText } from '../../../trace/forms/recorded/recorded-step.ts';
import type { ImportedConversation } from '../../import-format.ts';
import { amountOf, listIn, recordIn, textOf } from '../record-fields.ts';
import { timeOf } from '../session/session-clock.ts';
import type { SessionLog } from '../session/session-log.ts';
import { knownUsage, usageOf } from '../session/session-usage.ts';
import { readResponse } from './chat-response.ts';
import { readRounds } from './chat-rounds.ts';

type Fields = Record<string, unknown>;

/** Whether it is a chat of VS Code: requests of the user, each with the response to it. */
export function isChatSession({ requests, responderUsername, sessionId, version }: Fields): boolean {
  if (!Array.isArray(requests)) return false;
  const [first] = requests;
  if (first === undefined) return responderUsername !== undefined || (isText(sessionId) && version !== undefined);
  return isRecord(first) && 'message' in first && ('response' in first || 'result' in first || 'requestId' in first);
}

export function readChatSession(
  chat: Fields,
  { log, line }: { log: SessionLog; line: number },
): ImportedConversation | null {
  log.clock.seen(timeOf(chat.creationDate));
  const usages = listIn(chat, 'requests').map((request, index) => {
    const at = { line, place: `requests[${index}]` };
    if (isRecord(request)) return readRequest(request, log, at);
    log.lose(at, 'is no request');
    return null;
  });
  const requests = listIn(chat, 'requests').filter(isRecord);
  const latencies = requests.flatMap(({ result, elapsedMs }) => {
    const timings = isRecord(result) ? recordIn(result, 'timings') : {};
    return amountOf(timings.totalElapsed) ?? amountOf(elapsedMs) ?? [];
  });
  const last = requests.at(-1);
  return log.finish({
    line,
    id: textOf(chat, 'sessionId'),
    facts: {
      usage: knownUsage(usages),
      latency_seconds: latencies.length === 0 ? null : latencies.reduce((sum, time) => sum + time, 0) / 1000,
      error: last ? errorOf(last) : null,
    },
    fields: fieldsOf(chat),
  });
}

function readRequest(request: Fields, log: SessionLog, at: { line: number; place: string }) {
  const { conversation } = log;
  const time = timeOf(request.timestamp);
  const isAdded = request.isSystemInitiated === true;
  if (isAdded) log.clock.seen(time);
  else log.clock.asked(time);
  conversation.endAnswer();
  conversation.text(isAdded ? 'system' : 'user', userText(request));
  const metadata = isRecord(request.result) ? recordIn(request.result, 'metadata') : {};
  const answers = conversation.messages.length;
  if (listIn(metadata, 'toolCallRounds').length > 0) readRounds(request, metadata, log);
  else readResponse(listIn(request, 'response'), log, at);
  const usage =
    usageOf(metadata, { input: 'promptTokens', output: 'outputTokens' }) ??
    usageOf(recordIn(request, 'usage'), { input: 'promptTokens', output: 'completionTokens' }) ??
    usageOf(request, { input: 'promptTokens', output: 'completionTokens' });
  if (conversation.messages.length === answers) return usage;
  log.clock.answered(timeOf(request.responseTimestamp));
  conversation.by(textOf(metadata, 'resolvedModel') ?? textOf(request, 'modelId'));
  if (usage !== null) conversation.figures(usage);
  return usage;
}

function userText(request: Fields): string {
  const { message } = request;
  const text = isRecord(message) ? (textOf(message, 'text') ?? partsText(message)) : textOf(request, 'message');
  const images = listIn(recordIn(request, 'variableData'), 'variables').filter(
    (variable) => isRecord(variable) && variable.kind === 'image',
  );
  const markers = images.map((image) => mediaName('image', isRecord(image) ? image.name : undefined));
  return [text ?? '', ...markers].join('\n');
}

function partsText(message: Fields): string {
  return listIn(message, 'parts')
    .map((part) => (isRecord(part) ? (textOf(part, 'text') ?? '') : ''))
    .join('');
}

function errorOf(request: Fields): string | null {
  const details = isRecord(request.result) ? recordIn(request.result, 'errorDetails') : {};
  return textOf(details, 'message') ?? (request.isCanceled === true ? 'the request was canceled' : null);
}

function fieldsOf(chat: Fields): Fields {
  const names = ['sessionId', 'customTitle', 'creationDate', 'lastMessageDate', 'responderUsername', 'version'];
  return Object.fromEntries(names.filter((name) => chat[name] != null).map((name) => [name, chat[name]]));
}
