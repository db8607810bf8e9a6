import { isRecord } from '../../../text/json/is-record.ts';
import { toolOutputText } from '../../../trace/forms/tool-output.ts';
import { listIn, recordIn, textOf } from '../record-fields.ts';
import type { Place, SessionLog } from '../session/session-log.ts';

type Fields = Record<string, unknown>;

/** Reads what VS Code shows of a response: texts, thoughts and calls, in their order. */
export function readResponse(parts: readonly unknown[], log: SessionLog, { line, place }: Place): void {
  const { conversation } = log;
  for (const [index, part] of parts.entries()) {
    const text = typeof part === 'string' ? part : isRecord(part) ? textOfPart(part) : '';
    const kind = isRecord(part) ? textOf(part, 'kind') : null;
    if (text !== '') conversation.item(() => conversation.say(text));
    else if (!isRecord(part)) log.lose({ line, place: `${place}.response[${index}]` }, 'is no part of a response');
    else if (kind === 'thinking') conversation.item(() => conversation.think(toolOutputText(part.value)));
    else if (kind === 'toolInvocationSerialized') readInvocation(part, log);
    else if (kind !== null && kind !== 'markdownContent') log.leave(`response/${kind}`);
  }
}

/** Calls of sub-agents are only in the response. */
export function callsOfSubAgents(parts: readonly unknown[], log: SessionLog): void {
  for (const part of parts) {
    if (!isRecord(part) || part.kind !== 'toolInvocationSerialized') continue;
    const agent = textOf(part, 'subAgentInvocationId', 'subagentInvocationId');
    if (agent === null) continue;
    log.agents.set(agent, { name: 'sub-agent', call: agent });
    log.conversation.endAnswer();
    readInvocation(part, log);
    log.conversation.spokenBy('sub-agent');
  }
}

/** What is said after the last call. */
export function textAfterCalls(parts: readonly unknown[]): string {
  const last = parts.findLastIndex((part) => isRecord(part) && part.kind === 'toolInvocationSerialized');
  return parts
    .slice(last + 1)
    .map((part) => (isRecord(part) ? textOfPart(part) : ''))
    .join('');
}

function textOfPart(part: Fields): string {
  const { kind, value, content } = part;
  if (kind === 'inlineReference') return textOf(part, 'name') ?? nameOfReference(recordIn(part, 'inlineReference'));
  if (kind !== undefined && kind !== 'markdownContent' && kind !== 'markdownVuln') return '';
  return shownText(value) || shownText(content);
}

/** A text, or one with markup, which is in `value`. */
function shownText(value: unknown): string {
  if (typeof value === 'string') return value;
  return isRecord(value) && typeof value.value === 'string' ? value.value : '';
}

function nameOfReference(reference: Fields): string {
  const path = textOf(reference, 'name', 'fsPath', 'path') ?? textOf(recordIn(reference, 'uri'), 'path') ?? '';
  return path.slice(path.lastIndexOf('/') + 1);
}

function readInvocation(part: Fields, { conversation }: SessionLog): void {
  const id = textOf(part, 'toolCallId');
  const specific = recordIn(part, 'toolSpecificData');
  const details = isRecord(part.resultDetails) ? part.resultDetails : {};
  const command = textOf(recordIn(specific, 'commandLine'), 'original', 'toolEdited') ?? textOf(specific, 'command');
  const given = specific.rawInput ?? details.input ?? (command === null ? undefined : { command });
  const name = textOf(part, 'toolId', 'toolName') ?? 'unknown';
  conversation.item(() => conversation.call({ id, name, arguments: given }));
  if (part.isComplete === false) return;
  const state = recordIn(specific, 'terminalCommandState');
  const printed = textOf(recordIn(specific, 'terminalCommandOutput'), 'text');
  const shown = shownText(part.pastTenseMessage) || shownText(part.invocationMessage);
  const isRefused = part.isConfirmed === false || recordIn(part, 'isConfirmed').type === 0;
  conversation.result({
    id,
    content: outputText(details) || (printed ?? shown),
    is_error: details.isError === true || (typeof state.exitCode === 'number' && state.exitCode !== 0),
    ...(isRefused ? { refused: true } : {}),
  });
}

function outputText(details: Fields): string {
  const { output } = details;
  if (!Array.isArray(output)) return toolOutputText(output);
  return listIn(details, 'output')
    .map((part) => (isRecord(part) ? (textOf(part, 'value', 'text') ?? '') : toolOutputText(part)))
    .join('\n');
}
