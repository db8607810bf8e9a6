import { type ExportedTrial, exportRawRun, openRun } from '../../app/results/open-run.ts';
import { formatBytes } from '../../stats/format.ts';
import { harmlessJson } from '../../text/output/plain-text.ts';
import type { ExportCommandOptions } from '../program/command-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkWritable, writeWholeFile } from '../terminal/write-file.ts';

const FORMS = ['otel', 'openai', 'atif', 'langfuse'] as const;

/** `salvo export` */
export async function exportCommand(options: ExportCommandOptions, terminal: Terminal): Promise<number> {
  if (options.html !== undefined) return await exportHtmlFile({ ...options, html: options.html }, terminal);
  for (const form of FORMS) {
    const to = options[form];
    if (to === undefined) continue;
    // Only these forms need their writers.
    const { exportForm } = await import('./export-form.ts');
    return await exportForm({ what: options.what, form, to: to === true ? '-' : to }, terminal);
  }
  const { cwd, env, stdout, stderr } = terminal;
  const { toLabel } = options;
  const linesOf = async (run: string): Promise<AsyncIterable<object>> => {
    if (options.raw) return exportRawRun({ cwd, env, run });
    if (toLabel === undefined) return exportTrials({ cwd, env, run });
    const { trialsToLabel } = await import('../../app/judges/trials-to-label.ts');
    return trialsToLabel({ cwd, env, run, assertion: toLabel === true ? undefined : toLabel });
  };
  const writeLines = async (write: (text: string) => void | Promise<void>): Promise<void> => {
    for (const run of options.what) {
      for await (const line of await linesOf(run)) {
        if (options.out === undefined && stdout.closed) return;
        await write(`${harmlessJson(line)}\n`);
      }
    }
  };
  if (options.out === undefined) await writeLines((text) => stdout.write(text));
  else await writeWholeFile(options.out, terminal, writeLines);
  if (toLabel !== undefined) stderr.write(HOW_TO_LABEL);
  return 0;
}

const HOW_TO_LABEL =
  'Set "passed" to true or false from the first line on, as far as you like, and leave out none. `salvo calibrate FILE` weighs each label by its chance of being drawn.\n';

async function* exportTrials(options: Parameters<typeof openRun>[0]): AsyncGenerator<ExportedTrial> {
  await using opened = await openRun(options);
  yield* opened.trials();
}

const LARGE_BYTES = 25_000_000;

async function exportHtmlFile(
  { what, html, trials }: ExportCommandOptions & { html: string },
  terminal: Terminal,
): Promise<number> {
  const { cwd, env, stderr } = terminal;
  await checkWritable([html], terminal);
  // Only this form needs the server.
  const { exportHtml } = await import('../../server/export/export-html.ts');
  const { viewProject } = await import('../../app/view/viewed-project.ts');
  await using viewed = await viewProject({ cwd, env, readOnly: true });
  let bytes = 0;
  await writeWholeFile(html, terminal, (write) =>
    exportHtml({ viewed, what, trials }, async (text) => {
      bytes += Buffer.byteLength(text);
      await write(text);
    }),
  );
  stderr.write(`${html}: ${formatBytes(bytes)}. Any browser opens it, without Salvo and without a network.\n`);
  if (bytes > LARGE_BYTES && trials === 'all') {
    stderr.write('With --trials failed it has only the conversations of trials that did not pass.\n');
  }
  return 0;
}
