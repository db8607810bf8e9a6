import { isRecord } from '../../../text/json/is-record.ts';
import type { FileRecord } from '../../import-format.ts';
import { listIn } from '../record-fields.ts';
import type { SessionLog } from '../session/session-log.ts';

/** How VS Code writes down a chat while it goes on: the whole of it first, then what changes. */
const KINDS = { whole: 0, set: 1, push: 2, remove: 3 };

/** No list of a chat is longer. */
const MOST_ELEMENTS = 1_000_000;

export function isChangeLog({ kind, v }: Record<string, unknown>): boolean {
  return kind === KINDS.whole && isRecord(v) && Array.isArray(v.requests);
}

/** The chat after all changes. */
export function replayChanges(records: readonly FileRecord[], log: SessionLog): Record<string, unknown> {
  let chat: Record<string, unknown> = {};
  for (const { value, line } of records) {
    if (!isRecord(value)) log.lose({ line, place: 'it' }, 'is no object');
    else if (value.kind === KINDS.whole && isRecord(value.v)) chat = structuredClone(value.v);
    else if (!change(chat, value))
      log.lose({ line, place: 'k' }, 'is not in the chat, so that the change has no effect');
  }
  return chat;
}

/** False if the place of the change is not in the chat. */
function change(chat: Record<string, unknown>, { kind, k, v, i }: Record<string, unknown>): boolean {
  const path: unknown[] = Array.isArray(k) ? k : [];
  const last = path.at(-1);
  const parent = path.slice(0, -1).reduce<unknown>(within, chat);
  if (!isHolder(parent) || !isKey(parent, last)) return false;
  if (kind === KINDS.set) Object.defineProperty(parent, last, field(v));
  else if (kind === KINDS.remove) delete parent[last];
  else if (kind === KINDS.push) {
    const list: unknown = own(parent, last);
    const kept = Array.isArray(list) ? list : [];
    // Elements from here on are replaced.
    if (typeof i === 'number' && i >= 0 && i < kept.length) kept.length = Math.trunc(i);
    for (const element of listIn({ v }, 'v')) kept.push(element);
    if (!Array.isArray(list)) Object.defineProperty(parent, last, field(kept));
  } else return false;
  return true;
}

type Holder = Record<string | number, unknown>;

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}

function isKey(parent: Holder, key: unknown): key is string | number {
  if (!Array.isArray(parent)) return typeof key === 'string';
  return typeof key === 'number' && Number.isInteger(key) && key >= 0 && key < MOST_ELEMENTS && key <= parent.length;
}

function within(parent: unknown, key: unknown): unknown {
  return isHolder(parent) && isKey(parent, key) ? own(parent, key) : undefined;
}

function own(parent: Holder, key: string | number): unknown {
  return Object.hasOwn(parent, key) ? parent[key] : undefined;
}

/** A key may have any name, also `__proto__`. */
function field(value: unknown): PropertyDescriptor {
  return { value, writable: true, enumerable: true, configurable: true };
}
