import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Where the packages of the examples are installed. */
const INSTALLED = [join(ROOT, 'test/sdks/large/node_modules'), join(ROOT, 'node_modules')];

export interface SdkProject extends AsyncDisposable {
  path(name: string): string;
  /** Runs `salvo run` with these words, and no keys but those in `env`. */
  run(words: readonly string[], env?: Record<string, string>): Promise<{ exitCode: number; output: string }>;
}

/** A copy of examples/sdks with its packages, as somebody has it who followed its README. */
export async function sdkProject(): Promise<SdkProject> {
  const folder = await mkdtemp(join(tmpdir(), 'salvo-sdks-'));
  await cp(join(ROOT, 'examples/sdks'), folder, { recursive: true });
  for (const packages of INSTALLED) await linkPackages(packages, join(folder, 'node_modules'));
  return {
    path: (name) => join(folder, name),
    run: (words, env = {}) => run(folder, words, env),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function linkPackages(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch((): string[] => []);
  const scoped = names.filter((name) => name.startsWith('@'));
  const inScopes = await Promise.all(
    scoped.map(async (scope) => (await readdir(join(from, scope))).map((name) => join(scope, name))),
  );
  for (const name of [...names.filter((each) => /^\w/.test(each)), ...inScopes.flat()]) {
    await mkdir(dirname(join(to, name)), { recursive: true });
    // What the first folder has stays.
    await symlink(join(from, name), join(to, name)).catch(() => {});
  }
}

function run(cwd: string, words: readonly string[], env: Record<string, string>) {
  const conditions = '--conditions=salvo-source';
  const command = [conditions, join(ROOT, 'packages/salvo/src/cli/main.ts'), 'run', ...words];
  const options = {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, NODE_OPTIONS: conditions, NO_COLOR: '1', ...env },
  };
  return new Promise<{ exitCode: number; output: string }>((resolve) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : error ? -1 : 0, output: stdout + stderr });
    });
  });
}
