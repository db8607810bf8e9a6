import { findRun, openProject } from '../app/open-project.ts';
import { exportRun } from '../report/run/export-run.ts';
import { harmlessJson } from '../text/harmless-json.ts';
import type { Terminal } from './terminal/terminal.ts';
import { writeWholeFile } from './terminal/write-file.ts';

/** `salvo export` */
export async function exportCommand(
  options: { run: string; out?: string | undefined },
  terminal: Terminal,
): Promise<number> {
  await using opened = await openProject(terminal);
  const run = await findRun(opened.store, options.run);
  const produce = async (write: (text: string) => void | Promise<void>): Promise<void> => {
    for await (const line of exportRun(opened.store, run)) await write(`${harmlessJson(line)}\n`);
  };
  if (options.out === undefined) await produce((text) => terminal.stdout.write(text));
  else await writeWholeFile(options.out, terminal, produce);
  return 0;
}
