import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface ReadmeSession extends Disposable {
  /** Runs a line in the folder where the last one ended. */
  run(line: string): Promise<{ code: number | null; printed: string }>;
}

/** As `npx` finds the package: in the nearest folder that has it installed, or that is the package itself. */
const NPX = `#!/bin/sh
if [ "$1" != salvo ]; then echo "The README may call npx only for salvo." >&2; exit 127; fi
shift
dir=$PWD
while [ "$dir" != / ]; do
  for main in "$dir/node_modules/salvo/dist/cli/main.js" "$dir/dist/cli/main.js"; do
    if [ -f "$main" ]; then npm_command=exec exec node "$main" "$@"; fi
  done
  dir=$(dirname "$dir")
done
exit 127
`;

/**
 * A copy of the working tree, as a fresh clone would be, and a shell in it that has no key and no network for npm. The
 * folder `dist` is a build of these sources, if there is one already.
 */
export function startReadmeSession(root: string, { dist }: { dist?: string } = {}): ReadmeSession {
  const workspace = mkdtempSync(join(tmpdir(), 'salvo-readme-'));
  const clone = join(workspace, 'salvo');
  const programs = join(workspace, 'programs');
  const place = join(workspace, 'place');
  copyWorkingTree(root, clone);
  if (dist !== undefined) cpSync(dist, join(clone, 'dist'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
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
  for (const file of stdout.split('\0')) {
    // A file that was deleted is listed until that is committed.
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(target, file));
  }
}
