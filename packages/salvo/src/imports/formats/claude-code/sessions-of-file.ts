import { isPrompt } from './added-message.ts';
import type { SessionLine } from './session-line.ts';

/**
 * The lines of each session in a file. A session that continues another one, or repeats its lines, belongs to it, also if it has
 * an id of its own. Lines without a session belong to the one before them.
 */
export function sessionsOfFile(lines: readonly SessionLine[]): readonly (readonly SessionLine[])[] {
  const ids = new Set(lines.filter(isMessage).flatMap(({ session }) => session ?? []));
  if (ids.size < 2) return [lines];
  const joined = joinedSessions(lines);
  const groups = new Map<string, SessionLine[]>();
  let current = [...ids][0] ?? '';
  for (const line of lines) {
    if (line.session !== null && ids.has(line.session)) current = joined.get(line.session) ?? line.session;
    const group = groups.get(current);
    if (group) group.push(line);
    else groups.set(current, [line]);
  }
  return [...groups.values()];
}

/** To which session those belong that are no conversations of their own. */
function joinedSessions(lines: readonly SessionLine[]): ReadonlyMap<string, string> {
  const joined = new Map<string, string>();
  const known = new Map<string, string>();
  let current: string | null = null;
  for (const line of lines) {
    const { session, uuid, parent, copyOf, messageId } = line;
    if (session === null || !(isMessage(line) || isStart(line))) continue;
    const isNew = !joined.has(session);
    const near: string[] = [uuid, parent, copyOf, messageId].flatMap((id) =>
      id === null ? [] : (known.get(id) ?? []),
    );
    const other = near.find((each) => each !== joined.get(session));
    if (isNew) {
      const isOwn = current === null || (other === undefined && beginsConversation(line));
      joined.set(session, isOwn ? session : (other ?? current ?? session));
    }
    current = joined.get(session) ?? session;
    for (const id of [uuid, messageId]) if (id !== null && !known.has(id)) known.set(id, current);
  }
  return joined;
}

function beginsConversation(line: SessionLine): boolean {
  return isStart(line) || (isPrompt(line) && (line.value.parentUuid ?? null) === null);
}

/** The first message of the Claude Agent SDK. */
function isStart({ type, value }: SessionLine): boolean {
  return type === 'system' && value.subtype === 'init';
}

function isMessage({ type }: SessionLine): boolean {
  return type === 'user' || type === 'assistant';
}
