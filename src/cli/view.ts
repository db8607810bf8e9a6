import { viewProject } from '../app/view/viewed-project.ts';
import { startViewer } from '../server/start-viewer.ts';
import type { ViewCommandOptions } from './program/command-options.ts';
import { openInBrowser } from './terminal/open-in-browser.ts';
import type { Terminal } from './terminal/terminal.ts';

/** `salvo view`: serves until Ctrl-C. */
export async function viewCommand(options: ViewCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stdout, stderr, stop } = terminal;
  await using viewed = await viewProject({
    cwd,
    env,
    command: [process.execPath, ...process.execArgv, ...process.argv.slice(1, 2)],
  });
  await using viewer = await startViewer(viewed, options);
  const page = options.target === undefined ? '' : `#/runs/${encodeURIComponent(options.target)}`;
  stdout.write(`${viewer.url}${page}\n`);
  stderr.write('Ctrl-C ends the viewer. Who has this address can see all results of the project.\n');
  if (options.open && stdout.isTTY) openInBrowser(`${viewer.url}${page}`);
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  return 0;
}
