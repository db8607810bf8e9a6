import { isRecord } from '../../../text/json/is-record.ts';
import { toolOutputText } from '../../../trace/forms/tool-output.ts';
import { textOf } from '../record-fields.ts';

type Fields = Record<string, unknown>;

/** The item that an event tells about, with names as `codex exec` prints them; null if the event is another one. */
export function itemOfEvent(event: Fields): Fields | null {
  const { type, item } = event;
  if (type !== 'item_completed' || !isRecord(item)) return null;
  const named = Object.entries(item).map(([name, value]) => [withUnderscores(name), value] as const);
  const { text, summary_text, content, ...rest } = Object.fromEntries(named);
  const said = textOf({ text }, 'text') ?? toolOutputText(content ?? summary_text);
  return { ...rest, type: withUnderscores(textOf(item, 'type') ?? ''), text: said };
}

/** `AgentMessage` and `agentMessage` are `agent_message`. */
function withUnderscores(name: string): string {
  return name.replace(/[A-Z]/g, (letter, at) => `${at === 0 ? '' : '_'}${letter.toLowerCase()}`);
}
