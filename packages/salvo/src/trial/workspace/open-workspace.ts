import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { guardAgainstKill } from '../../adapters/program/watchdog.ts';
import type { Assertion } from '../../scenario/schema/assertion-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { workspaceOf } from '../../scenario/schema/workspace-schema.ts';
import { readSourceTree, type SourceTree } from '../../scenario/workspace/source-tree.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { createGlob, plainPath } from '../../text/glob.ts';
import type { WorkspaceRecord } from '../../trace/workspace-record.ts';
import { changedFiles, type WorkspaceBefore } from './changed-files.ts';
import { copyTree } from './copy-tree.ts';
import { fileRecords } from './file-records.ts';

export interface OpenWorkspace {
  /** Absolute. */
  path: string;
  /** The folder that it was copied from, or that of the scenario. Absolute. */
  source: string;
  /** Compares the files with those before. */
  record(assertions: readonly Assertion[]): Promise<WorkspaceRecord>;
  close(): Promise<void>;
}

interface WorkspaceOptions {
  scenario: Pick<Scenario, 'workspace' | 'folders'>;
  /** Of the scenario. Absolute. */
  file: string;
  /** For the name of the folder, if it is kept. */
  nameOfTrial: readonly string[];
  /** The folder in which it is kept. Null: it is removed after the trial. */
  keepIn: string | null;
}

/** Git's own files change with every command of it. They are copied, and not compared. */
const NEVER_COMPARED = ['**/.git'];

/** Makes the folder of a trial; null if the scenario has none. */
export async function openWorkspace({ scenario, file, ...options }: WorkspaceOptions): Promise<OpenWorkspace | null> {
  const written = workspaceOf(scenario);
  if (!written) return null;
  const { folder, exclude = [], link = [] } = written;
  const source = folder === undefined ? dirname(file) : sourceOf(folder, { scenario, file });
  const tree =
    folder === undefined ? null : unchangedTree({ root: source, exclude, link }, scenario.folders?.[folder]?.sha256);
  const keep = options.keepIn !== null;
  const parent = await newFolder(options);
  const unguard = keep ? () => {} : guardAgainstKill({ kind: 'folder', name: parent });
  const root = join(parent, folder === undefined ? 'workspace' : basename(source));
  const close = async (): Promise<void> => {
    if (keep) return;
    await removeFolder(parent);
    unguard();
  };
  let stamps: ReadonlyMap<string, string> = new Map();
  try {
    if (tree) stamps = await copyTree(tree, root);
    else await mkdir(root);
  } catch (cause) {
    await close();
    const message = `The workspace could not be copied from ${source}: ${errorMessage(cause)}`;
    throw new SalvoError('WORKSPACE_NOT_COPIED', message, { cause });
  }
  const before: WorkspaceBefore = {
    root,
    tree,
    stamps,
    isIgnored: createGlob([...NEVER_COMPARED, ...exclude, ...link]),
  };
  return {
    path: root,
    source,
    async record(assertions) {
      const kept = keep ? { kept: root } : {};
      try {
        const changes = await changedFiles(before);
        return { ...(await fileRecords(before, { changes, ...readBy(assertions) })), ...kept };
      } catch (error) {
        // A trace that was paid for is not lost: its assertions on files are not scored.
        return { files: [], problem: errorMessage(error), ...kept };
      }
    },
    close,
  };
}

/** By its real path: a program that asks for its folder gets the same one. */
async function newFolder({ nameOfTrial, keepIn }: Pick<WorkspaceOptions, 'nameOfTrial' | 'keepIn'>): Promise<string> {
  if (keepIn === null) return await mkdtemp(join(await realpath(tmpdir()), 'salvo-workspace-'));
  await mkdir(keepIn, { recursive: true, mode: 0o700 });
  const words = nameOfTrial
    .map((word) => word.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 40))
    .filter((word) => word !== '');
  return await mkdtemp(join(await realpath(keepIn), `${words.join('-')}-`));
}

function sourceOf(folder: string, { scenario, file }: Pick<WorkspaceOptions, 'scenario' | 'file'>): string {
  return resolve(dirname(file), scenario.folders?.[folder]?.path ?? folder);
}

/** The trees of this run, so that a later change can be named. */
const earlierTrees = new Map<string, SourceTree>();
const MOST_TREES = 20;

/** All trials of a run begin with the same files, so a folder that has changed since is refused. */
function unchangedTree(options: Parameters<typeof readSourceTree>[0], expected: string | undefined): SourceTree {
  const tree = readSourceTree(options);
  if ('code' in tree) throw new SalvoError('WORKSPACE_NOT_COPIED', `${options.root}: ${tree.message}.`);
  if (expected !== undefined && tree.sha256 !== expected) {
    const earlier = earlierTrees.get(expected);
    const names = earlier ? ` (${differences(earlier, tree).join(', ')})` : '';
    const message = `${options.root} has changed since the run began${names}. Start a new run. If nobody edited it, an agent did: workspaces are no sandbox.`;
    throw new SalvoError('FILE_CHANGED', message);
  }
  if (earlierTrees.size >= MOST_TREES) earlierTrees.clear();
  earlierTrees.set(tree.sha256, tree);
  return tree;
}

function differences(before: SourceTree, after: SourceTree): string[] {
  const paths = new Set([...before.files.keys(), ...after.files.keys()]);
  const changed = [...paths].filter((path) => before.files.get(path)?.sha256 !== after.files.get(path)?.sha256);
  return [...changed.slice(0, 3), ...(changed.length > 3 ? [`${changed.length - 3} more`] : [])];
}

/** The files that assertions read, and those that they watch. */
function readBy(assertions: readonly Assertion[]) {
  const read = new Set<string>();
  const watched: string[] = [];
  for (const assertion of assertions) {
    const { path, paths } = { path: undefined, paths: undefined, ...assertion };
    if (/^file_(?:not_)?(?:contains|matches)$/.test(assertion.type) && typeof path === 'string')
      read.add(plainPath(path));
    if (assertion.type === 'file_unchanged') watched.push(...[paths].flat().filter((each) => typeof each === 'string'));
  }
  return { read, isWatched: createGlob(watched) };
}

/** An agent may have taken away its own rights to a folder, so that it cannot be removed at first. */
async function removeFolder(folder: string): Promise<void> {
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove();
  } catch {
    const { allowRemoval } = await import('./allow-removal.ts');
    allowRemoval(folder);
    // What is left in the temporary folder of the system changes no result.
    await remove().catch(() => {});
  }
}
