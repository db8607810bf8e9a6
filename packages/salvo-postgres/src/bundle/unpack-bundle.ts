import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, posix, resolve } from 'node:path';
import { packageVersion } from 'salvo/kit/project';
import type { WorkerDescription, WorkQueue } from 'salvo/kit/queue';
import { contentHash, errorMessage, permitCode, permitNoCode, SalvoError } from 'salvo/kit/text';
import { batchesOf } from '../queue/bundle-files.ts';
import { keepInUse, removeOldBundles, UNFINISHED } from './bundle-cache.ts';
import { type Bundle, badBundle, type CodeToAllow, codeOf, fileHash, readBundle } from './bundle-document.ts';
import { findAbove } from './project-files.ts';
import { foreignSettingsProblem } from './settings-for-workers.ts';

export interface UnpackOptions {
  /** The hash of the bundle. */
  hash: string;
  readFiles: WorkQueue['readFiles'];
  /** The folder with all bundles: see `bundleCacheFolder`. */
  cache: string;
  /** Where the worker was started. Packages that code imports are those that are installed there. */
  cwd: string;
  /** `none`: of a run with `--no-code`. */
  allowedCode: WorkerDescription['allowed_code'] | 'none';
}

/** A project that was unpacked, with which the ordinary loaders work. */
export interface UnpackedProject {
  /** The folder that has all of its files, and nothing else. */
  folder: string;
  /** The folder of salvo.yaml. */
  root: string;
  /** The working directory of the process that started the run. */
  cwd: string;
  /** The owner of the worker allowed all code, or exactly this: the hash of its code covers its settings, too. */
  isAllowed: boolean;
}

/**
 * The files of a bundle on this machine. Nothing is written before all code in it is allowed, and this process executes
 * nothing else from then on. Two workers may do this at the same time, and one may be killed in the middle: a folder
 * appears as a whole or not at all.
 */
export async function unpackBundle(options: UnpackOptions): Promise<UnpackedProject> {
  const { hash, cache, cwd, allowedCode } = options;
  if (allowedCode !== 'all') permitNoCode();
  const bundle = await readDocument(options);
  await refuseSettings(bundle, options);
  const code = codeOf(bundle);
  refuseCode(code, options);
  const packages = packagesOf(cwd);
  // Workers that were started in other folders have other packages.
  const folder = join(cache, `${hash}-${contentHash(packages).slice(0, 12)}`);
  if (!(await isIntact(bundle, folder))) await unpackInto(folder, { bundle, packages, options });
  await keepInUse(folder);
  const isAllowed = allowedCode === 'all' || code !== null;
  const place = { folder, root: join(folder, bundle.project), cwd: join(folder, bundle.cwd), isAllowed };
  refuseOtherPackages(bundle, place.root, cwd);
  for (const { command, name } of bundle.code) {
    if (command) permitCode({ command: command.words, cwd: resolve(place.root, command.cwd), env: command.env });
    else permitCode({ module: resolve(place.root, name) });
  }
  return place;
}

async function readDocument({ hash, readFiles }: UnpackOptions): Promise<Bundle> {
  const content = (await readFiles([hash])).get(hash);
  if (!content) throw badBundle('the database does not have them');
  return readBundle(content, hash);
}

/** Without a salvo.yaml, one of the folders above would be read. */
async function refuseSettings({ project, files }: Bundle, { readFiles }: UnpackOptions): Promise<void> {
  const { hash } = files.find(({ path }) => path === posix.join(project, 'salvo.yaml')) ?? { hash: '' };
  const content = hash === '' ? undefined : (await readFiles([hash])).get(hash);
  if (!content || fileHash(content) !== hash) throw badBundle('they have no salvo.yaml, or not the one of its hash');
  const problem = foreignSettingsProblem(content);
  if (problem !== null) throw badBundle(problem);
}

/** Throws a `CODE_NOT_ALLOWED` with all that the owner of a worker would allow with the hash. */
function refuseCode(code: CodeToAllow | null, { allowedCode, cwd }: UnpackOptions): void {
  if (code === null || allowedCode === 'all' || (allowedCode !== 'none' && allowedCode.includes(code.hash))) return;
  const list = code.pieces.slice(0, 20).map(({ what, name, outside }) => {
    const taken = outside.length > 0 ? ` (from outside: ${outside.join(', ').slice(0, 500)})` : '';
    return `  ${what} ${name.slice(0, 200)}${taken}`;
  });
  const more = code.pieces.length > list.length ? [`  and ${code.pieces.length - list.length} more`] : [];
  const [why, ...advice] =
    allowedCode === 'none'
      ? ['The run was started with `salvo run --no-code`, so no worker executes code of its files:']
      : [
          'The run executes code that this worker does not allow:',
          `Packages that it imports are those installed for ${resolve(cwd)}.`,
          `Read it, and start the worker with \`salvo worker --allow-code ${code.hash}\`, or with \`salvo worker --allow-code\` for all code. The hash covers all files of the run except data and Markdown, and nothing from outside.`,
        ];
  throw new SalvoError('CODE_NOT_ALLOWED', [why, ...list, ...more, ...advice].join('\n'));
}

function refuseOtherPackages({ packages }: Bundle, root: string, cwd: string): void {
  for (const [name, version] of Object.entries(packages)) {
    const found = packageVersion(name, join(root, 'salvo.yaml'));
    if (found === version) continue;
    const has = found === undefined ? 'which this worker does not have' : `and this worker has ${found}`;
    const message = `The run uses the plugin ${name} ${version}, ${has}. Run \`npm install ${name}@${version}\` in ${resolve(cwd)}.`;
    throw new SalvoError('PACKAGE_MISSING', message);
  }
}

async function unpackInto(
  folder: string,
  { bundle, packages, options }: { bundle: Bundle; packages: string; options: UnpackOptions },
): Promise<void> {
  const { cache } = options;
  const draft = join(cache, `${UNFINISHED}${process.pid}-${randomUUID()}`);
  try {
    await removeOldBundles(cache);
    await mkdir(draft, { recursive: true, mode: 0o700 });
    for (const batch of batchesOf(bundle.files, ({ size }) => size)) await writeBatch(draft, batch, options.readFiles);
    for (const place of [bundle.project, bundle.cwd]) await mkdir(join(draft, place), { recursive: true });
    const isOfOthers =
      !bundle.files.some(({ path }) => path === 'package.json') && findAbove(cache, 'package.json') !== null;
    // Otherwise that one would decide how Node loads these files.
    if (isOfOthers) await writeFile(join(draft, 'package.json'), '{}\n');
    // It may lead to nothing yet: packages can be installed while the worker runs.
    await symlink(packages, join(draft, 'node_modules'), 'junction');
    await moveTo(folder, { draft, bundle });
  } catch (cause) {
    if (cause instanceof SalvoError) throw cause;
    const advice = 'Set SALVO_CACHE_DIR to a folder that the worker may write to.';
    const message = `The files of a run could not be written to ${cache}: ${errorMessage(cause)}. ${advice}`;
    throw new SalvoError('BUNDLE_NOT_WRITTEN', message, { cause });
  } finally {
    await rm(draft, { recursive: true, force: true }).catch(() => {});
  }
}

/** Another worker may have been faster. What is there and was changed by somebody is replaced. */
async function moveTo(folder: string, { draft, bundle }: { draft: string; bundle: Bundle }): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await rename(draft, folder);
      return;
    } catch (error) {
      if (await isIntact(bundle, folder)) return;
      if (attempt >= 3 || !existsSync(folder)) throw error;
      const old = `${draft}-old`;
      await rename(folder, old).catch(() => {});
      await rm(old, { recursive: true, force: true });
    }
  }
}

async function writeBatch(draft: string, files: Bundle['files'], readFiles: UnpackOptions['readFiles']): Promise<void> {
  const contents = await readFiles([...new Set(files.map(({ hash }) => hash))]);
  for (const { path, hash, size, executable } of files) {
    const content = contents.get(hash);
    if (!content) throw badBundle(`the database does not have the content of ${path}`);
    if (content.length !== size || fileHash(content) !== hash) throw badBundle(`${path} is not what its hash says`);
    const file = join(draft, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { flag: 'wx', mode: executable ? 0o555 : 0o444 });
  }
}

/** Whether a folder has every file as it was packed: an agent of an earlier run may have written there. */
async function isIntact(bundle: Bundle, folder: string): Promise<boolean> {
  if (!existsSync(folder)) return false;
  for (const { path, hash, size } of bundle.files) {
    const content = await readFile(join(folder, path)).catch(() => null);
    if (content?.length !== size || fileHash(content) !== hash) return false;
  }
  return true;
}

/** The nearest node_modules from a folder upwards; the one that `npm install` would make there if there is none. */
function packagesOf(cwd: string): string {
  return findAbove(cwd, 'node_modules') ?? join(resolve(cwd), 'node_modules');
}
