import { canonicalJson, contentHash } from '../../../text/json/canonical-json.ts';
import type { Message, MessageFile } from '../../../trace/message.ts';
import { prettyJson } from '../trial/pretty-json.ts';

/** A message of each trace that belong together, by position; null where the other trace has none. */
export interface AlignedRow {
  base: number | null;
  next: number | null;
  /** Whether the two are the same. */
  same: boolean;
}

/** More pairs than this are not weighed: the rest is aligned by position. */
const MOST_CELLS = 4_000_000;
const [SAME, ALIKE] = [3, 1];

/**
 * Two conversations side by side: the longest common course, where the same message counts more than one of the same
 * role that calls the same tools.
 */
export function alignMessages(base: readonly Message[], next: readonly Message[]): AlignedRow[] {
  const [a, b] = [base.map(keysOf), next.map(keysOf)];
  const isSame = (i: number, j: number) => a[i]?.content === b[j]?.content;
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && isSame(head, head)) head += 1;
  let tail = 0;
  while (tail < shorter - head && isSame(a.length - 1 - tail, b.length - 1 - tail)) tail += 1;
  const middle = { a: a.slice(head, a.length - tail), b: b.slice(head, b.length - tail) };
  return [
    ...Array.from({ length: head }, (_, index) => ({ base: index, next: index, same: true })),
    ...alignMiddle(middle.a, middle.b).map((row) => ({
      ...row,
      base: row.base === null ? null : row.base + head,
      next: row.next === null ? null : row.next + head,
    })),
    ...Array.from({ length: tail }, (_, index) => {
      return { base: a.length - tail + index, next: b.length - tail + index, same: true };
    }),
  ];
}

type Keys = ReturnType<typeof keysOf>;

/** What messages are compared by. The kind is the role and the names of tools. */
function keysOf(message: Message) {
  if (message.role === 'tool_result') {
    const { role, name, content, files, is_error } = message;
    // Ids of calls are made up anew each time.
    return { kind: `${role} ${name}`, content: contentHash([role, name, content, is_error, fileKeys(files)]) };
  }
  if (message.role === 'system') return { kind: message.role, content: canonicalJson([message.role, message.content]) };
  if (message.role === 'user') {
    return { kind: message.role, content: contentHash([message.role, message.content, fileKeys(message.files)]) };
  }
  const calls = message.tool_calls.map(({ name, arguments: given, raw_arguments }) => [
    name,
    raw_arguments ?? prettyJson(given),
  ]);
  const names = message.tool_calls.map(({ name }) => name);
  return {
    kind: JSON.stringify([message.role, ...names]),
    content: contentHash([message.role, message.content, calls, fileKeys(message.files)]),
  };
}

/** The content of a file by its hash. */
function fileKeys(files: readonly MessageFile[] = []): (string | undefined)[][] {
  return files.map(({ name, sha256, url }) => [name, sha256, url]);
}

function alignMiddle(a: readonly Keys[], b: readonly Keys[]): AlignedRow[] {
  if (a.length * b.length > MOST_CELLS) return byPosition(a, b);
  const width = b.length + 1;
  const gain = (i: number, j: number): number => {
    if (a[i]?.content === b[j]?.content) return SAME;
    return a[i]?.kind === b[j]?.kind ? ALIKE : 0;
  };
  // best[i][j]: of the parts from i and from j on.
  const best = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const own = gain(i, j);
      const paired = own === 0 ? 0 : own + (best[(i + 1) * width + j + 1] ?? 0);
      best[i * width + j] = Math.max(paired, best[(i + 1) * width + j] ?? 0, best[i * width + j + 1] ?? 0);
    }
  }
  const rows: AlignedRow[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const own = gain(i, j);
    const here = best[i * width + j] ?? 0;
    if (own > 0 && here === own + (best[(i + 1) * width + j + 1] ?? 0)) {
      rows.push({ base: i, next: j, same: own === SAME });
      i += 1;
      j += 1;
    } else if (here === (best[(i + 1) * width + j] ?? 0)) {
      rows.push({ base: i, next: null, same: false });
      i += 1;
    } else {
      rows.push({ base: null, next: j, same: false });
      j += 1;
    }
  }
  for (; i < a.length; i += 1) rows.push({ base: i, next: null, same: false });
  for (; j < b.length; j += 1) rows.push({ base: null, next: j, same: false });
  return rows;
}

function byPosition(a: readonly Keys[], b: readonly Keys[]): AlignedRow[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => ({
    base: index < a.length ? index : null,
    next: index < b.length ? index : null,
    same: a[index]?.content === b[index]?.content,
  }));
}
