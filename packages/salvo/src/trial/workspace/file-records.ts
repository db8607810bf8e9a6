import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { unifiedDiff } from '../../text/unified-diff.ts';
import type { FileRecord, WorkspaceRecord } from '../../trace/workspace-record.ts';
import type { ChangedFile, WorkspaceBefore } from './changed-files.ts';

/** What a trace keeps of a workspace. */
const MOST_LISTED = 2000;
const MOST_FILE_BYTES = 256 * 1024;
const MOST_BYTES = 2 * 1024 * 1024;

/** What the trace has of changed files, and of those that assertions read. Those come first, if there is not room for all. */
export async function fileRecords(
  before: WorkspaceBefore,
  {
    changes,
    read,
    isWatched,
  }: { changes: readonly ChangedFile[]; read: ReadonlySet<string>; isWatched: (path: string) => boolean },
): Promise<Pick<WorkspaceRecord, 'files' | 'not_listed'>> {
  const changed = new Set(changes.map(({ path }) => path));
  const rank = (path: string): number => (read.has(path) ? 0 : isWatched(path) ? 1 : 2);
  const others = [...read].filter((path) => !changed.has(path)).map((path) => ({ path, change: 'unchanged' as const }));
  const all = [...others, ...changes].sort((a, b) => rank(a.path) - rank(b.path));
  const listed = all.slice(0, MOST_LISTED);
  const room = { bytes: MOST_BYTES };
  const files: FileRecord[] = [];
  for (const file of listed) files.push(await fileRecord(before, file, room));
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const more = all.length - listed.length;
  return { files, ...(more > 0 && { not_listed: more }) };
}

async function fileRecord(
  before: WorkspaceBefore,
  file: Omit<ChangedFile, 'change'> & Pick<FileRecord, 'change'>,
  room: { bytes: number },
): Promise<FileRecord> {
  const { path, change, link } = file;
  if (change === 'deleted') return { path, change };
  if (link !== undefined) return { path, change, link };
  const after = await contentOf(join(before.root, path), room);
  if (after === 'missing')
    return { path, change: change === 'unchanged' ? 'missing' : change, without_content: 'unreadable' };
  if ('link' in after) return { path, change, link: after.link };
  const { text, ...known } = after;
  if (text === undefined) return { path, change, ...known };
  const source =
    change === 'changed' && before.tree ? await contentOf(join(before.tree.root, path), { bytes: MOST_BYTES }) : null;
  const earlier = source !== null && source !== 'missing' && 'text' in source ? source.text : undefined;
  const diff = earlier === undefined ? {} : { diff: unifiedDiff(earlier, text) };
  return { path, change, ...known, content: text, ...diff };
}

interface Content extends Pick<FileRecord, 'bytes' | 'sha256' | 'without_content'> {
  text?: string | undefined;
}

/** Reads a regular file, and never through a link. */
async function contentOf(file: string, room: { bytes: number }): Promise<Content | { link: string } | 'missing'> {
  try {
    const stats = await lstat(file);
    if (stats.isSymbolicLink()) return { link: await readlink(file) };
    if (!stats.isFile()) return 'missing';
    const { size: bytes } = stats;
    if (bytes > MOST_FILE_BYTES) return { bytes, without_content: 'too_large' };
    // The file may have become a link or a pipe since.
    await using handle = await open(
      file,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    const buffer = Buffer.alloc(bytes);
    const { bytesRead } = await handle.read(buffer, 0, bytes, 0);
    const content = buffer.subarray(0, bytesRead);
    const known = { bytes, sha256: hash('sha256', content) };
    const text = textOf(content);
    if (text === undefined) return { ...known, without_content: 'binary' };
    if (room.bytes < bytes) return { ...known, without_content: 'too_many' };
    room.bytes -= bytes;
    return { ...known, text };
  } catch {
    return 'missing';
  }
}

/** Undefined if the bytes are no text. */
function textOf(content: Buffer): string | undefined {
  if (content.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}
