import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { isBranch } from './pull-request.ts';

export interface Baseline {
  /** The file to compare with; null if there is none yet. */
  file: string | null;
  notice: string | null;
}

/** The baseline of the target branch cannot be had, so the comparison that was asked for cannot be made. */
export class BaselineUnavailable extends Error {}

/**
 * The baseline as it is on the target branch: a pull request must not be compared with a baseline that it brought
 * itself. Without a target branch, as after a push, it is the file of the checkout. Throws when the branch cannot be
 * fetched: a comparison that was asked for is never left out silently.
 */
export function fetchBaseline(options: {
  path: string;
  branch: string | null;
  /** The folder of the project. */
  folder: string;
  scratch: string;
}): Baseline {
  const { path, branch, folder, scratch } = options;
  if (isAbsolute(path)) throw new Error('baseline: give a path relative to the project.');
  if (branch === null) {
    const file = resolve(folder, path);
    return existsSync(file) ? { file, notice: null } : { file: null, notice: `There is no ${path} yet.` };
  }
  if (!isBranch(branch)) throw new Error(`baseline-branch: ${JSON.stringify(branch)} is no name of a branch.`);
  const ref = `refs/remotes/origin/${branch}`;
  const fetched = git(['fetch', '--no-tags', '--depth=1', 'origin', `+refs/heads/${branch}:${ref}`], folder);
  if (fetched.status !== 0) {
    throw new BaselineUnavailable(`The branch ${branch} could not be fetched: ${fetched.stderr.trim()}`);
  }
  const shown = git(['show', `${ref}:./${path.replace(/^\.\//, '')}`], folder);
  if (shown.status !== 0) {
    return { file: null, notice: `The branch ${branch} has no ${path} yet, so nothing was compared.` };
  }
  const file = join(scratch, 'baseline.json');
  writeFileSync(file, shown.stdout);
  return { file, notice: null };
}

function git(args: string[], cwd: string) {
  return spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
}
