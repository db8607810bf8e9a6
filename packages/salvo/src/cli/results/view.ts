import { spawn } from 'node:child_process';
import { pageAddress } from '../../app/view/find-subject.ts';
import { type ViewedProject, type ViewedResult, viewProject, viewResult } from '../../app/view/viewed-project.ts';
import { rightsSentence } from '../../app/view/viewer-rights.ts';
import { serveViewer, type ViewerOptions } from '../../server/serve-viewer.ts';
import { safeBlock } from '../../text/output/safe-text.ts';
import type { ViewCommandOptions } from '../program/command-options.ts';
import { salvoCommand } from '../terminal/process-terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `salvo view`: serves until Ctrl-C. */
export async function viewCommand(options: ViewCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stdout } = terminal;
  await using viewed = await viewProject({ cwd, env, command: salvoCommand() });
  const page = await pageAddress(viewed, options.target);
  await serveUntilStopped({ viewed, options, page, print: (line) => stdout.write(line) }, terminal);
  return 0;
}

/** `--view`: serves a result that is not stored, until Ctrl-C. Standard output has the result itself. */
export async function serveResult(result: ViewedResult, terminal: Terminal): Promise<void> {
  const print = (line: string) => terminal.stderr.write(`\n${line}`);
  const viewed = viewResult(result);
  await serveUntilStopped({ viewed, options: { open: true }, page: `#${result.page.href}`, print }, terminal);
}

const WARNING =
  'Warning: other machines can connect, and nothing is encrypted, so anyone who can read the traffic can read the token and the results. A proxy with HTTPS in front prevents that.';

/** Serves until Ctrl-C, and opens a browser if somebody is there to see it. */
async function serveUntilStopped(
  request: {
    viewed: ViewedProject;
    options: ViewerOptions & { open: boolean };
    /** The part of the address after `#`, with it. */
    page: string;
    print: (line: string) => void;
  },
  { stdout, stderr, stop, env }: Terminal,
): Promise<void> {
  const { viewed, options, page, print } = request;
  await using viewer = await serveViewer(viewed, {
    ...options,
    env,
    onFailure: (error) => stderr.write(`${safeBlock(error.stack ?? error.message)}\n`),
  });
  for (const url of new Set([viewer.url, ...viewer.urlsElsewhere])) print(`${url}${page}\n`);
  const who = viewer.isTokenGiven
    ? 'A request with the token of SALVO_VIEW_TOKEN (`Authorization: Bearer ...`)'
    : 'Anyone with this link';
  // A result that is not stored can only be looked at.
  const rights = viewed.project === null ? 'see the result' : rightsSentence(viewer.rights);
  const spending = viewed.project !== null && viewer.rights.includes('run') ? ` ${viewer.spending}` : '';
  stderr.write(`Ctrl-C ends the viewer. ${who} can ${rights}.${spending}\n`);
  if (viewer.urlsElsewhere.length > 0) stderr.write(`${WARNING}\n`);
  if (options.open && stdout.isTTY && !viewer.isTokenGiven) openInBrowser(`${viewer.url}${page}`);
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
}

const OPENERS: Partial<Record<NodeJS.Platform, [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['explorer'],
  linux: ['xdg-open'],
};

/** Tries to open the address in the user's browser. It was printed as well, so a failure needs no message. */
function openInBrowser(url: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? [];
  if (command === undefined) return;
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
