import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { splitWords } from './split-words.ts';

type Environment = Record<string, string | undefined>;

export interface Place {
  /** The folder of the project. */
  folder: string;
  /** The repository: nothing above it is looked at. */
  workspace: string;
}

/**
 * The `salvo` of the project, so that CI runs the version that developers run. Installs the packages of the project if
 * they are not installed yet, or `wanted` into a folder of its own if the project has no Salvo.
 */
export function findSalvo(place: Place, wanted: string, env: Environment): string {
  const installed = nearest(place, join('node_modules', '.bin', 'salvo'));
  if (installed) return installed;
  if (wanted !== '') return installPackage(wanted, env);
  const lock = nearest(place, 'package-lock.json');
  if (lock) npm(['ci'], dirname(lock));
  const found = nearest(place, join('node_modules', '.bin', 'salvo'));
  if (found) return found;
  throw new Error(
    'Salvo is not installed. Add it to the devDependencies of the project, or name it with the input `package`.',
  );
}

function installPackage(wanted: string, env: Environment): string {
  const folder = join(env.RUNNER_TEMP ?? '/tmp', 'salvo-package');
  mkdirSync(folder, { recursive: true });
  npm(['install', '--no-audit', '--no-fund', '--prefix', folder, '--', ...splitWords(wanted)], process.cwd());
  const program = join(folder, 'node_modules', '.bin', 'salvo');
  if (existsSync(program)) return program;
  throw new Error(`The package ${wanted} has no command salvo.`);
}

function npm(args: string[], cwd: string): void {
  const { status, error } = spawnSync('npm', args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) throw error;
  if (status !== 0) throw new Error(`npm ${args[0]} failed.`);
}

/** In the folder of the project or the next above it, up to the repository. */
function nearest({ folder, workspace }: Place, name: string): string | null {
  const candidate = join(folder, name);
  if (existsSync(candidate)) return candidate;
  const above = dirname(folder);
  const isOutside = relative(workspace, above).startsWith('..') || above === folder || folder === workspace;
  return isOutside ? null : nearest({ folder: above, workspace }, name);
}
