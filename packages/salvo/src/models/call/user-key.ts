import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

type Environment = Record<string, string | undefined>;

const KEY = /^[0-9a-f]{64}$/;

/**
 * The key that authenticates this user's cached votes: `SALVO_VOTE_KEY`, or a file in the user's own folder, which is
 * made when it is missing. Never in the project: a person who can add files to a repository must not know it. Where no
 * file can be kept, the key is for this process only.
 */
export async function readUserKey(env: Environment): Promise<string> {
  const given = env.SALVO_VOTE_KEY?.trim();
  if (given) return given;
  const folder = stateFolder(env);
  if (folder === null) return newKey();
  const file = path.join(folder, 'salvo', 'vote-key');
  try {
    return (await keyIn(file)) ?? (await createKey(file));
  } catch {
    return newKey();
  }
}

function newKey(): string {
  return randomBytes(32).toString('hex');
}

/** Null when the user has no folder. A relative one could be in the project, so it is ignored, as XDG demands. */
function stateFolder(env: Environment): string | null {
  const home = env.HOME ?? '';
  const candidates = [env.XDG_STATE_HOME, env.LOCALAPPDATA, home && path.join(home, '.local', 'state')];
  return candidates.find((folder) => folder !== undefined && path.isAbsolute(folder)) ?? null;
}

async function keyIn(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return KEY.test(text) ? text : null;
}

/** Of several processes that create the key at once, all use the first one's. */
async function createKey(file: string): Promise<string> {
  const key = newKey();
  const draft = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(draft, key, { mode: 0o600 });
    await link(draft, file).catch(async () => {
      // Another process was faster; or the file is broken, or the file system has no links.
      if ((await keyIn(file)) === null) await rename(draft, file);
    });
  } finally {
    await rm(draft, { force: true });
  }
  return (await keyIn(file)) ?? key;
}
