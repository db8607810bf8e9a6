import { type ChildProcess, spawn } from 'node:child_process';

/**
 * A small program that outlives this process by a moment. If this process ends without having ended its services, such as
 * by kill -9, the watchdog kills their process groups and removes their folders. It notices that by the end of its input.
 */
const PROGRAM = `
const { rmSync } = require('node:fs');
const left = { group: new Set(), folder: new Set() };
let rest = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { kind, name, isOver } = JSON.parse(line);
    if (isOver) left[kind].delete(name);
    else left[kind].add(name);
  }
}).on('close', () => {
  for (const pid of left.group) {
    try { process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL'); } catch {}
  }
  for (const folder of left.folder) {
    try { rmSync(folder, { recursive: true, force: true, maxRetries: 3 }); } catch {}
  }
  process.exit();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
`;

/** What is left if this process is killed: a process group by the id of its first process, or a folder. */
export type Guarded = { kind: 'group'; name: number } | { kind: 'folder'; name: string };

let watchdog: ChildProcess | null = null;

/** From now on something is removed if this process is killed, until the returned function is called. */
export function guardAgainstKill(guarded: Guarded): () => void {
  tell({ ...guarded, isOver: false });
  return () => tell({ ...guarded, isOver: true });
}

function tell(message: Guarded & { isOver: boolean }): void {
  watchdog ??= start();
  if (watchdog.stdin?.writable) watchdog.stdin.write(`${JSON.stringify(message)}\n`);
}

function start(): ChildProcess {
  // In a group of its own: a Ctrl-C of the terminal must not end it.
  const child = spawn(process.execPath, ['-e', PROGRAM], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
    env: {},
    cwd: '/',
  });
  // Without it, services still end with their trial, and at the normal end of this process.
  child.on('error', () => {});
  child.stdin?.on('error', () => {});
  for (const handle of [child, child.stdin]) {
    const unref: unknown = handle && Reflect.get(handle, 'unref');
    if (typeof unref === 'function') Reflect.apply(unref, handle, []);
  }
  return child;
}
