import { type BigIntStats, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { hashOfFile, type SourceTree, stampOf } from '../../scenario/workspace/source-tree.ts';
import type { FileRecord } from '../../trace/workspace-record.ts';

/** A workspace as it was before the trial. */
export interface WorkspaceBefore {
  /** Absolute. */
  root: string;
  tree: SourceTree | null;
  /** Of every copied file: `stampOf`. */
  stamps: ReadonlyMap<string, string>;
  isIgnored: (path: string) => boolean;
}

/** A file that is not as it was before. */
export interface ChangedFile {
  path: string;
  change: Extract<FileRecord['change'], 'added' | 'changed' | 'deleted'>;
  /** Missing if it is a link, cannot be read, or is deleted. */
  bytes?: number;
  link?: string;
  isUnreadable?: true;
}

/** More entries than this are not looked at. */
const MOST_ENTRIES = 200_000;
const ENTRIES_AT_ONCE = 2000;
/** A larger file that was written to counts as changed, whatever it contains. */
const MOST_HASHED_BYTES = 256n * 1024n * 1024n;

/** Compares a workspace with what it was copied from. No link is followed: it could lead anywhere. */
export async function changedFiles(before: WorkspaceBefore): Promise<ChangedFile[]> {
  const changes: ChangedFile[] = [];
  const seen = new Set<string>();
  const open = isFolder(before.root) ? [''] : [];
  const replacement = linkAt(before.root);
  if (replacement !== undefined) changes.push({ path: '.', change: 'changed', link: replacement });
  let entries = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const name of namesIn(join(before.root, folder), () => changes.push(unreadableFolder(folder ?? '')))) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (before.isIgnored(path)) continue;
      entries += 1;
      if (entries > MOST_ENTRIES)
        throw new Error(`the workspace has more than ${MOST_ENTRIES} entries after the trial`);
      if (entries % ENTRIES_AT_ONCE === 0) await breathe();
      const stats = lstatSync(join(before.root, path), { bigint: true, throwIfNoEntry: false });
      if (stats?.isDirectory()) open.push(path);
      if (!stats?.isFile() && !stats?.isSymbolicLink()) continue;
      seen.add(path);
      const change = changeOf(before, path, stats);
      if (change) changes.push(change);
    }
  }
  const earlier = [...(before.tree?.files.keys() ?? []), ...(before.tree?.links.keys() ?? [])];
  for (const path of earlier) {
    if (!seen.has(path) && !before.isIgnored(path)) changes.push({ path, change: 'deleted' });
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Where a link leads; undefined if there is none. */
function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string, onUnreadable: () => void): string[] {
  try {
    return readdirSync(folder);
  } catch {
    onUnreadable();
    return [];
  }
}

function unreadableFolder(path: string): ChangedFile {
  return { path: path === '' ? '.' : path, change: 'changed', isUnreadable: true };
}

function changeOf({ root, tree, stamps }: WorkspaceBefore, path: string, stats: BigIntStats): ChangedFile | null {
  const source = tree?.files.get(path);
  const earlierLink = tree?.links.get(path);
  const change = source || earlierLink !== undefined ? 'changed' : 'added';
  if (stats.isSymbolicLink()) {
    const link = linkAt(join(root, path)) ?? '';
    return link === earlierLink ? null : { path, change, link };
  }
  const bytes = Number(stats.size);
  if (source && stamps.get(path) === stampOf(stats)) return null;
  if (!source || source.bytes !== bytes || stats.size > MOST_HASHED_BYTES) return { path, change, bytes };
  try {
    const isExecutable = (stats.mode & 0o111n) !== 0n;
    const isSame = hashOfFile(join(root, path), stats) === source.sha256 && isExecutable === source.isExecutable;
    return isSame ? null : { path, change, bytes };
  } catch {
    return { path, change, bytes, isUnreadable: true };
  }
}
