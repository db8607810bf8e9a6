import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';

export interface ReadmeSession extends Disposable {
  /** Runs a line in the folder where the last one ended. */
  run(line: string): Promise<{ code: number | null; printed: string }>;
}

/** As `npx` finds the package: in the nearest folder that has it installed. */
const NPX = `#!/bin/sh
if [ "$1" != salvo ]; then echo "The README may call npx only for salvo." >&2; exit 127; fi
shift
dir=$PWD
while [ "$dir" != / ]; do
  main="$dir/node_modules/salvo/dist/cli/main.js"
  if [ -f "$main" ]; then npm_command=exec exec node "$main" "$@"; fi
  dir=$(dirname "$dir")
done
exit 127
`;

/**
 * A copy of the working tree, as a fresh clone would be, and a shell in it that has no key and no network for npm. The
 * folder `built` has a build of each package, if there is one already.
 */
export function startReadmeSession(root: string, { built }: { built?: string } = {}): ReadmeSession {
  const workspace = mkdtempSync(join(tmpdir(), 'salvo-readme-'));
  const clone = join(workspace, 'salvo');
  const programs = join(workspace, 'programs');
  const place = join(workspace, 'place');
  copyWorkingTree(root, clone);
  linkPackages(root, clone);
  if (built !== undefined) {
    for (const name of readdirSync(join(clone, 'packages'))) {
      const dist = join(built, name, 'dist');
      copyFiles(filesIn(dist), { from: dist, to: join(clone, 'packages', name, 'dist') });
    }
  }
  mkdirSync(programs);
  writeFileSync(join(programs, 'npx'), NPX);
  chmodSync(join(programs, 'npx'), 0o755);
  const env = {
    PATH: [programs, dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
    HOME: workspace,
    TMPDIR: tmpdir(),
    COLUMNS: '80',
    CLONE: clone,
    PACKAGES: join(root, 'node_modules'),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  };
  let cwd = clone;
  return {
    run: async (line) => {
      const script = `trap 'pwd > "${place}"' EXIT\n${line}`;
      const shell = spawn('bash', ['--noprofile', '--norc', '-c', script], {
        cwd,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [printed, complaints, [code]] = await Promise.all([
        text(shell.stdout),
        text(shell.stderr),
        once(shell, 'close'),
      ]);
      cwd = readFileSync(place, 'utf8').trim();
      return { code, printed: `${printed}${complaints}` };
    },
    [Symbol.dispose]: () => rmSync(workspace, { recursive: true, force: true }),
  };
}

function copyWorkingTree(root: string, target: string): void {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  // A file that was deleted is listed until that is committed.
  const files = stdout.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
  copyFiles(files, { from: root, to: target });
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** `cpSync` takes ten times as long for thousands of small files. */
function copyFiles(files: readonly string[], { from, to }: { from: string; to: string }): void {
  for (const folder of new Set(files.map((file) => dirname(file)))) mkdirSync(join(to, folder), { recursive: true });
  for (const file of files) copyFileSync(join(from, file), join(to, file));
}

/** As npm does it for workspaces: their own packages are links into the clone. */
function linkPackages(root: string, clone: string): void {
  const own = readdirSync(join(clone, 'packages'));
  mkdirSync(join(clone, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const target = own.includes(name) ? join(clone, 'packages', name) : join(root, 'node_modules', name);
    symlinkSync(target, join(clone, 'node_modules', name));
  }
}
