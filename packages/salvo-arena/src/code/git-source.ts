import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { runProgram } from 'salvo/kit/adapters';
import { errorCode, isAllCodeRefused, quoteOutput, SalvoError } from 'salvo/kit/text';

/** Code in a git repository. */
export interface GitSource {
  /** As git receives it. */
  url: string;
  /** A branch, tag or commit; `HEAD` if none is given. */
  ref: string;
  /** A folder of the repository, without slashes around it; empty for all of it. */
  folder: string;
}

/** Looks like an address, and not like a path: `https://host/x.git`, `git@host:x.git`, `ext::command`. */
export function looksLikeAddress(source: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(?:\/\/|:)/i.test(source) || /^[\w.-]+@[\w.-]+:/.test(source);
}

/**
 * Reads `https://host/repository.git//folder?ref=v1.2.0`, as Terraform writes the source of a module; `#folder` means
 * the same as `//folder`. Throws for any address but https, ssh and file.
 */
export function parseGitSource(source: string): GitSource {
  const refused = (reason: string) =>
    new SalvoError(
      'OPTIONS_INVALID',
      `${quoteOutput(source, { length: 200 })} is no source of code: ${reason}. Give a folder, or an address such as https://host/repository.git//folder?ref=v1.2.0.`,
    );
  if (source.length > 2000 || /[\u0000-\u0020\u007f]/.test(source)) {
    throw refused('it has blanks or control characters, or is too long');
  }
  const [withoutHash = '', afterHash = ''] = source.replace(/^git::/, '').split('#', 2);
  const [path = '', query = ''] = withoutHash.split('?', 2);
  const parameters = new URLSearchParams(query);
  const ref = parameters.get('ref') ?? 'HEAD';
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(path)?.[0] ?? '';
  if (scheme === '' ? !/^[\w.-]+@[\w.-]+:[^:]/.test(path) : !/^(?:https|ssh|file):\/\/$/i.test(scheme)) {
    throw refused('only https, ssh and file addresses are fetched');
  }
  const [repository = '', afterSlashes = ''] = path.slice(scheme.length).split('//', 2);
  const folder = posix
    .normalize(afterSlashes || afterHash || '.')
    .split('/')
    .filter(Boolean)
    .join('/');
  if (repository === '' || repository.startsWith('-') || /@-/.test(repository)) throw refused('it names no repository');
  if (folder.split('/').includes('..')) throw refused('its folder leads out of the repository');
  if (!/^[\w][\w./+-]{0,200}$/.test(ref) || ref.includes('..')) throw refused('its ref is no branch, tag or commit');
  return { url: scheme + repository, ref, folder: folder === '.' ? '' : folder };
}

const SECONDS = 120;
const MOST_OUTPUT_BYTES = 1024 * 1024;

/**
 * Fetches the newest commit of a source to a temporary folder, lets `use` look at it, and removes it. Git is started
 * without a shell. It asks for nothing, runs no hooks, and fetches no submodules.
 */
export async function withFetchedCode<T>(
  source: GitSource,
  { env, signal }: { env: Readonly<Record<string, string | undefined>>; signal?: AbortSignal | undefined },
  use: (folder: string) => Promise<T>,
): Promise<T> {
  if (isAllCodeRefused()) {
    const message = `Refused: ${source.url} would be fetched by git, and no program is started here. Give a folder instead.`;
    throw new SalvoError('CODE_NOT_ALLOWED', message);
  }
  const folder = await mkdtemp(join(tmpdir(), 'salvo-template-'));
  try {
    await git(['init', '--quiet', '--template=', '--', folder], folder, { env, signal, source });
    const fetched = ['fetch', '--quiet', '--depth', '1', '--no-tags', '--no-recurse-submodules', '--'];
    await git([...fetched, source.url, source.ref], folder, { env, signal, source });
    await git(['checkout', '--quiet', '--detach', 'FETCH_HEAD'], folder, { env, signal, source });
    return await use(join(folder, source.folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Neither hooks nor monitors of a repository or of the user are run. */
const SETTINGS = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'core.autocrlf=false'];

async function git(
  args: string[],
  cwd: string,
  context: { env: Readonly<Record<string, string | undefined>>; signal?: AbortSignal | undefined; source: GitSource },
): Promise<void> {
  const { env, signal, source } = context;
  const timeout = AbortSignal.timeout(SECONDS * 1000);
  const given = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const result = await runProgram({
    file: 'git',
    args: [...SETTINGS, ...args],
    cwd,
    env: { ...Object.fromEntries(given), ...QUIET_GIT },
    input: '',
    maxOutputBytes: MOST_OUTPUT_BYTES,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    if (errorCode(cause) !== 'ENOENT') throw cause;
    throw fetchError(source, 'there is no program git on the PATH', cause);
  });
  signal?.throwIfAborted();
  if (timeout.aborted) throw fetchError(source, `git did not end within ${SECONDS} s`);
  if (result.exitCode !== 0) throw fetchError(source, quoteOutput(result.stderrTail, { keep: 'end', length: 500 }));
}

const QUIET_GIT = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'https:ssh:file',
  GIT_LFS_SKIP_SMUDGE: '1',
  GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
};

function fetchError({ url, ref }: GitSource, why: string, cause?: unknown): SalvoError {
  const what = ref === 'HEAD' ? url : `${ref} of ${url}`;
  return new SalvoError('TEMPLATE_FETCH_FAILED', `${what} could not be fetched: ${why}`, { cause });
}
