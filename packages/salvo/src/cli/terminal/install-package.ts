import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { salvoVersion } from '../../text/modules/salvo-version.ts';
import { salvoCommand } from './process-terminal.ts';
import type { Terminal } from './terminal.ts';

/** By the file that each leaves beside package.json. */
const MANAGERS: readonly { lock: string; command: readonly string[] }[] = [
  { lock: 'pnpm-lock.yaml', command: ['pnpm', 'add', '--save-dev'] },
  { lock: 'yarn.lock', command: ['yarn', 'add', '--dev'] },
  { lock: 'bun.lock', command: ['bun', 'add', '--dev'] },
  { lock: 'bun.lockb', command: ['bun', 'add', '--dev'] },
  { lock: 'package-lock.json', command: ['npm', 'install', '--save-dev'] },
];
const NPM = ['npm', 'install', '--save-dev'];

/**
 * Offers to install a package that the command line needs, and runs it again in a process that can find the package.
 * Null if nobody can answer, or if the answer is no; otherwise the exit code.
 */
export async function offerPackage(
  name: string,
  { words, terminal }: { words: readonly string[]; terminal: Terminal },
): Promise<number | null> {
  const answer = (await terminal.ask?.(`Install ${name} now? (y/N) `)) ?? '';
  if (!/^y(?:es)?$/i.test(answer.trim())) return null;
  // Packages of one version belong together.
  const install = [...installCommand(terminal.cwd), `${name}@${salvoVersion()}`];
  terminal.stderr.write(`${install.join(' ')}\n`);
  const installed = await exitCodeOf(install, terminal);
  return installed === 0 ? exitCodeOf([...salvoCommand(), ...words], terminal, 'inherit') : null;
}

/** How the project in a folder installs packages for development: its own package manager, or npm. */
function installCommand(folder: string): readonly string[] {
  for (let place = resolve(folder); ; place = dirname(place)) {
    const found = MANAGERS.find(({ lock }) => existsSync(join(place, lock)));
    if (found) return found.command;
    if (place === dirname(place)) return NPM;
  }
}

/** Results go to standard output, and nothing else. */
async function exitCodeOf(
  [program = '', ...args]: readonly string[],
  { cwd, env }: Terminal,
  stdout: 'inherit' | 2 = 2,
): Promise<number> {
  // On Windows, package managers are scripts.
  const shell = process.platform === 'win32' && program !== process.execPath;
  const child = spawn(program, args, { cwd, env, shell, stdio: ['inherit', stdout, 2] });
  const ended = await once(child, 'close').catch(() => [null]);
  return typeof ended[0] === 'number' ? ended[0] : 3;
}
