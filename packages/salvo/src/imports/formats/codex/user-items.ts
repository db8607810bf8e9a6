import { isRecord } from '../../../text/json/is-record.ts';
import { listIn, textOf } from '../record-fields.ts';
import { itemOfEvent } from './completed-item.ts';
import type { RolloutLine } from './rollout-line.ts';

/** How texts begin that Codex writes in the user's name, in any case of letters. It does not show them as the user's either. */
const ADDED = [
  ...['<environment_context>', '<user_instructions>', '# agents.md instructions', '<turn_aborted>', '<skill>'],
  ...['<subagent_notification>', '<permissions instructions>', '<collaboration_mode>', '<personality_spec>'],
  ...['<user_shell_command>', '<additional_context>', '<extension_context>', '<goal_context>', '<hook_prompt'],
  ...['<user_action>', '<model_switch>', '<apps_instructions>', '<plugins_instructions>', '<skills_instructions>'],
  ...['<realtime_conversation>', '<context_update>', '<external_'],
  'warning: the maximum number of unified exec processes you can keep open is',
  'warning: apply_patch was requested via ',
  'warning: your account was flagged for potentially high-risk cyber activity',
];

/** Whether Codex wrote a part of a message of the user. */
export function isAddedPart(part: unknown): boolean {
  const text = typeof part === 'string' ? part : isRecord(part) ? textOf(part, 'text') : null;
  const begin = text?.slice(0, 200).trimStart().toLowerCase() ?? '';
  return ADDED.some((start) => begin.startsWith(start));
}

/** Whether Codex wrote all of a message. */
export function isWhollyAdded({ content }: Record<string, unknown>): boolean {
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  return parts.length > 0 && parts.every(isAddedPart);
}

/**
 * The items in the user's name that the user did not write. For what the user wrote there is an event beside the item. Only if
 * each such event has its item, items without one are known to be added.
 */
export function addedItems(lines: readonly RolloutLine[]): ReadonlySet<RolloutLine> {
  const near = lines.filter(({ type }) => type !== 'turn_context');
  const isUserEvent = near.some(isMessageEvent) ? isMessageEvent : isItemEvent;
  const written = new Set<RolloutLine>();
  let events = 0;
  for (const [index, line] of near.entries()) {
    if (!isUserEvent(line)) continue;
    events += 1;
    const beside = [near[index - 1], near[index + 1]].filter((each) => each !== undefined);
    const free = beside.filter((each) => isUserItem(each) && !written.has(each) && !isWhollyAdded(each.payload));
    const item = free.find((each) => saysTheSame(each, line)) ?? free[0];
    if (item) written.add(item);
  }
  if (events === 0 || written.size < events) return new Set();
  return new Set(near.filter((line) => isUserItem(line) && !written.has(line)));
}

function isMessageEvent({ type, payload }: RolloutLine): boolean {
  return type === 'event_msg' && payload.type === 'user_message';
}

/** Newer versions have this event instead. */
function isItemEvent({ type, payload }: RolloutLine): boolean {
  return type === 'event_msg' && itemOfEvent(payload)?.type === 'user_message';
}

function isUserItem({ type, payload }: RolloutLine): boolean {
  return type === 'response_item' && payload.type === 'message' && payload.role === 'user';
}

function saysTheSame(item: RolloutLine, event: RolloutLine): boolean {
  const said = (textOf(event.payload, 'message') ?? textOf(itemOfEvent(event.payload) ?? {}, 'text'))?.trim();
  return listIn(item.payload, 'content').some((part) => isRecord(part) && textOf(part, 'text')?.trim() === said);
}
