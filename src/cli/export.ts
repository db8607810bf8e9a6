import { exportRun } from '../app/stored-runs.ts';
import { harmlessJson } from '../text/plain-text.ts';
import type { Terminal } from './terminal/terminal.ts';
import { writeWholeFile } from './terminal/write-file.ts';

/** `salvo export` */
export async function exportCommand(
  options: { run: string; out?: string | undefined },
  terminal: Terminal,
): Promise<number> {
  const { cwd, env, stdout } = terminal;
  const writeLines = async (write: (text: string) => void | Promise<void>): Promise<void> => {
    for await (const trial of exportRun({ cwd, env, run: options.run })) {
      if (options.out === undefined && stdout.closed) return;
      await write(`${harmlessJson(trial)}\n`);
    }
  };
  if (options.out === undefined) await writeLines((text) => stdout.write(text));
  else await writeWholeFile(options.out, terminal, writeLines);
  return 0;
}
