import { createHash, hash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { errorMessage } from '../../text/errors/salvo-error.ts';
import { createGlob } from '../../text/glob.ts';
import type { ProblemText } from '../diagnostics/problem.ts';

/** What a workspace is copied from. Paths are relative to the root, with forward slashes. */
export interface SourceTree {
  root: string;
  /** Of all names and contents. */
  sha256: string;
  bytes: number;
  folders: string[];
  files: Map<string, SourceFile>;
  /** Where symbolic links lead. */
  links: Map<string, string>;
  /** What is linked and not copied. */
  linked: string[];
}

export interface SourceFile {
  sha256: string;
  bytes: number;
  isExecutable: boolean;
}

export interface TreeOptions {
  root: string;
  exclude?: readonly string[] | undefined;
  link?: readonly string[] | undefined;
}

/** A workspace is copied for each trial, so more than this is a mistake. */
export const MOST_SOURCE_FILES = 50_000;
const MOST_SOURCE_BYTES = 1024 ** 3;
const TOO_LARGE_HINT =
  'leave out what the agent does not need: workspace: { folder: ..., exclude: [dist], link: [node_modules] }';

/** Reads a folder with all that is in it, except sockets, pipes and devices. Returns the problem if it cannot be copied. */
export function readSourceTree({ root, exclude = [], link = [] }: TreeOptions): SourceTree | ProblemText {
  const tree: SourceTree = { root, sha256: '', bytes: 0, folders: [], files: new Map(), links: new Map(), linked: [] };
  const isExcluded = createGlob(exclude);
  const isLinked = createGlob(link);
  const open = [''];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const name of readdirSync(join(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (isExcluded(path)) continue;
      const stats = lstatSync(join(root, path), { bigint: true });
      if (isLinked(path)) tree.linked.push(path);
      else if (stats.isDirectory()) {
        tree.folders.push(path);
        open.push(path);
      } else if (stats.isSymbolicLink()) {
        const problem = addLink(tree, path);
        if (problem) return problem;
      } else if (stats.isFile()) {
        const problem = addFile(tree, path, stats);
        if (problem) return problem;
      }
    }
  }
  return { ...tree, sha256: hashOfTree(tree) };
}

function addLink(tree: SourceTree, path: string): ProblemText | null {
  const { root } = tree;
  const target = readlinkSync(join(root, path));
  const place = resolve(root, path, '..', target);
  const fromRoot = relative(root, place);
  if (isAbsolute(target) || fromRoot === '..' || fromRoot.startsWith(`..${sep}`) || isAbsolute(fromRoot)) {
    return {
      code: 'invalid-value',
      message: `${path} is a link that leads out of the folder, to ${target}: the agent would work on the original`,
      hint: 'leave it out (exclude: [...]), or share it between all trials (link: [...])',
    };
  }
  tree.links.set(path, target);
  return null;
}

function addFile(tree: SourceTree, path: string, stats: BigIntStats): ProblemText | null {
  const bytes = Number(stats.size);
  tree.bytes += bytes;
  if (tree.bytes > MOST_SOURCE_BYTES) {
    return { code: 'too-large', message: 'the folder has more than 1 GB', hint: TOO_LARGE_HINT };
  }
  if (tree.files.size >= MOST_SOURCE_FILES) {
    return { code: 'too-large', message: `the folder has more than ${MOST_SOURCE_FILES} files`, hint: TOO_LARGE_HINT };
  }
  try {
    const sha256 = hashOfFile(join(tree.root, path), stats);
    tree.files.set(path, { sha256, bytes, isExecutable: (stats.mode & 0o111n) !== 0n });
    return null;
  } catch (error) {
    const message = `${path} cannot be read: ${errorMessage(error)}`;
    return { code: 'unreadable-file', message, hint: 'leave it out: exclude: [...]' };
  }
}

function hashOfTree({ files, links, folders }: SourceTree): string {
  const entries = [
    ...[...files].map(([path, { sha256, isExecutable }]) => [path, 'file', sha256, isExecutable]),
    ...[...links].map(([path, target]) => [path, 'link', target]),
    ...folders.map((path) => [path, 'folder']),
  ];
  return hash('sha256', JSON.stringify(entries.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))));
}

/** Hashes of files that have not changed since, so that a folder is read once however often its scenarios are loaded. */
const known = new Map<string, { stamp: string; sha256: string }>();
const MOST_KNOWN = 4 * MOST_SOURCE_FILES;

/** The hash of a regular file. It is read only if it is new or was written since. */
export function hashOfFile(file: string, stats: BigIntStats): string {
  const stamp = stampOf(stats);
  const found = known.get(file);
  if (found?.stamp === stamp) return found.sha256;
  if (known.size >= MOST_KNOWN) known.clear();
  const sha256 = hashOfContent(file);
  known.set(file, { stamp, sha256 });
  return sha256;
}

/** Changes with every write: the time of the last change of a file's entry cannot be set by a program. */
export function stampOf({ dev, ino, size, mtimeNs, ctimeNs, mode }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs, mode].join(' ');
}

function hashOfContent(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const sum = createHash('sha256');
    const chunk = Buffer.allocUnsafe(256 * 1024);
    for (;;) {
      const count = readSync(descriptor, chunk);
      if (count === 0) return sum.digest('hex');
      sum.update(chunk.subarray(0, count));
    }
  } finally {
    closeSync(descriptor);
  }
}
