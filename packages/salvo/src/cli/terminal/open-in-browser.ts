import { spawn } from 'node:child_process';

const OPENERS: Partial<Record<NodeJS.Platform, [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['explorer'],
  linux: ['xdg-open'],
};

/** Tries to open the address in the user's browser. It was printed as well, so a failure needs no message. */
export function openInBrowser(url: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? [];
  if (command === undefined) return;
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
