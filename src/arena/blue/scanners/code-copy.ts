import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder with a copy of the code in `dir`, and an empty one beside it. */
export interface CodeCopy extends AsyncDisposable {
  dir: string;
  out: string;
}

/** Writes files whose names are neutral, and therefore safe, into a temporary folder. Disposing of it removes it. */
export async function copyCode(files: Readonly<Record<string, string>>): Promise<CodeCopy> {
  // Tools report paths without links, and on some systems the temporary folder is one.
  const root = await realpath(await mkdtemp(join(tmpdir(), 'salvo-blue-')));
  const copy: CodeCopy = {
    dir: join(root, 'code'),
    out: join(root, 'out'),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
  try {
    await mkdir(copy.dir);
    await mkdir(copy.out);
    for (const [name, text] of Object.entries(files)) {
      const path = join(copy.dir, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text, { flag: 'wx' });
    }
    return copy;
  } catch (error) {
    await copy[Symbol.asyncDispose]();
    throw error;
  }
}
