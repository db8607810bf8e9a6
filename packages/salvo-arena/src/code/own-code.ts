import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { contentHash, SalvoError } from 'salvo/kit/text';
import { z } from 'zod';
import { looksLikeAddress, parseGitSource, withFetchedCode } from './git-source.ts';
import type { CodeFolder } from './read-code-folder.ts';
import { readCodePaths } from './read-code-paths.ts';

/** Code of the user that Red plants flaws in. The folder that it was read from is never changed. */
export const ownCodeSchema = z.object({
  /** Its name in results: the name of the folder or repository. */
  name: z.string(),
  /** The folder or address as it was given. */
  source: z.string(),
  /** Texts by path from the folder, with forward slashes. */
  files: z.record(z.string(), z.string()),
  /** Files that were not read. */
  skipped: z.array(z.object({ file: z.string(), reason: z.string() })),
  /** What it is for: the first lines of its README, or its name. */
  task: z.string(),
  /** Of all texts: whether the code is still the same. */
  hash: z.string(),
});

export type OwnCode = z.infer<typeof ownCodeSchema>;

export interface OwnCodeContext {
  cwd?: string | undefined;
  env?: Readonly<Record<string, string | undefined>> | undefined;
  signal?: AbortSignal | undefined;
}

/** Reads a folder, a file, or a git repository: see `parseGitSource`. */
export async function readOwnCode(source: string, context: OwnCodeContext = {}): Promise<OwnCode> {
  const { cwd = process.cwd(), env = process.env, signal } = context;
  if (source.trim() === '') throw new SalvoError('OPTIONS_INVALID', '{option:template} needs a folder or an address.');
  if (!looksLikeAddress(source)) {
    const path = resolve(cwd, source);
    return await codeIn(path, { name: basename(path) || 'code', source });
  }
  const parsed = parseGitSource(source);
  const repository = parsed.url.split(/[/:]/).findLast(Boolean) ?? '';
  const name = [repository.replace(/\.git$/, ''), parsed.folder].filter(Boolean).join('/');
  return await withFetchedCode(parsed, { env, signal }, (folder) =>
    codeIn(folder, { name, source: shownSource(source) }),
  );
}

/** Without a password: the source is stored and shown. */
function shownSource(source: string): string {
  return source.replace(/^((?:git::)?[a-z+]+:\/\/)[^/@]*@/i, '$1');
}

async function codeIn(path: string, named: Pick<OwnCode, 'name' | 'source'>): Promise<OwnCode> {
  const { files: read, skipped } = await readCodePaths([path], { cwd: path });
  const { files, refused } = writableNames(read);
  if (Object.keys(files).length === 0) {
    throw new SalvoError('TEMPLATE_UNUSABLE', `There is no infrastructure code in ${named.source}.`);
  }
  return {
    ...named,
    files,
    skipped: [...skipped, ...refused],
    task: (await readmeLines(path)) ?? named.name,
    hash: contentHash(files).slice(0, 32),
  };
}

const LONGEST_NAME = 180;

/** A game writes code to any folder on any system, so files with unusual names are left out. */
function writableNames(read: CodeFolder['files']) {
  const files: CodeFolder['files'] = {};
  const refused: CodeFolder['skipped'] = [];
  const taken = new Set<string>();
  for (const [file, text] of Object.entries(read)) {
    const isUsual = file.length <= LONGEST_NAME && /^[^\p{C}<>:"|?*\\]+$/u.test(file) && !/[ .](?:\/|$)/.test(file);
    if (isUsual && !taken.has(file.toLowerCase())) files[file] = text;
    else refused.push({ file, reason: 'its name cannot be written on every system' });
    taken.add(file.toLowerCase());
  }
  return { files, refused };
}

const LONGEST_TASK = 300;

/** The first sentences of the README that say something: no badges, no HTML. */
async function readmeLines(folder: string): Promise<string | null> {
  const entries = await readdir(folder).catch(() => []);
  const readme = entries.find((name) => /^readme(?:\.\w{1,10})?$/i.test(name));
  if (readme === undefined) return null;
  const text = await readFile(join(folder, readme), 'utf8').catch(() => '');
  const lines = text
    .slice(0, 10_000)
    .split(/\r?\n/)
    .map((line) => line.replace(/^[#=*\s-]+/, '').trim())
    .filter((line) => line !== '' && !/^[[!<|`]/.test(line))
    .slice(0, 2);
  if (lines.length === 0) return null;
  const whole = lines.join(': ').replaceAll(/\p{C}/gu, ' ');
  return whole.length > LONGEST_TASK ? `${whole.slice(0, LONGEST_TASK - 1)}…` : whole;
}
