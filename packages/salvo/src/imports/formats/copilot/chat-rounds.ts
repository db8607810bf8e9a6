import { isRecord } from '../../../text/json/is-record.ts';
import { toolOutputText } from '../../../trace/forms/tool-output.ts';
import { listIn, recordIn, textOf } from '../record-fields.ts';
import { timeOf } from '../session/session-clock.ts';
import type { SessionLog } from '../session/session-log.ts';
import { callsOfSubAgents, textAfterCalls } from './chat-response.ts';

type Fields = Record<string, unknown>;

/** What the model answered in each round, as it was sent on, with the results of its calls. The response shows parts of it. */
export function readRounds(request: Fields, metadata: Fields, log: SessionLog): void {
  const { conversation, clock } = log;
  const results = recordIn(metadata, 'toolCallResults');
  const rounds = listIn(metadata, 'toolCallRounds').filter(isRecord);
  for (const round of rounds) {
    const calls = listIn(round, 'toolCalls').filter(isRecord);
    conversation.assistant(() => {
      const { thinking } = round;
      conversation.think(isRecord(thinking) ? thoughtOf(thinking.text) : thoughtOf(thinking));
      const said = textOf(round, 'response');
      if (said !== null) conversation.say(said);
      for (const call of calls) {
        conversation.call({
          id: textOf(call, 'id'),
          name: textOf(call, 'name') ?? 'unknown',
          arguments: call.arguments,
        });
      }
    });
    conversation.figures({ latency_seconds: clock.answered(timeOf(round.timestamp)) });
    for (const call of calls) {
      const id = textOf(call, 'id');
      const result = id !== null && Object.hasOwn(results, id) ? results[id] : undefined;
      if (result !== undefined) conversation.result({ id, content: resultText(result) });
    }
  }
  callsOfSubAgents(listIn(request, 'response'), log);
  const last = rounds.at(-1);
  const rest = last && listIn(last, 'toolCalls').length > 0 ? textAfterCalls(listIn(request, 'response')) : '';
  if (rest !== '') conversation.assistant(() => conversation.say(rest));
}

function thoughtOf(text: unknown): string {
  const texts: unknown[] = Array.isArray(text) ? text : [text];
  return texts.filter((each) => typeof each === 'string').join('\n');
}

/** The result of a tool: texts, or a tree of the elements of a prompt. */
function resultText(result: unknown): string {
  const content = isRecord(result) ? listIn(result, 'content') : [];
  if (content.length === 0) return toolOutputText(result);
  return content
    .map((part) => {
      const value = isRecord(part) ? part.value : part;
      return isRecord(value) && isRecord(value.node) ? treeText(value.node) : toolOutputText(value ?? part);
    })
    .join('\n');
}

function treeText(root: Fields): string {
  const texts: string[] = [];
  const open: unknown[] = [root];
  while (open.length > 0) {
    const node = open.pop();
    if (!isRecord(node)) continue;
    if (typeof node.text === 'string') texts.push(node.text);
    for (const child of listIn(node, 'children').toReversed()) open.push(child);
  }
  return texts.join('');
}
