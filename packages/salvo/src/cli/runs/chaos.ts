import { chaosRequest, performChaos, storedChaos } from '../../app/runs/chaos.ts';
import { chaosCsv, chaosMarkdown, renderChaos } from '../../report/run/chaos-report.ts';
import type { ChaosDocument } from '../../run/faults/chaos-document.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { ChaosCommandOptions } from '../program/command-options.ts';
import { databasePatience } from '../terminal/database-patience.ts';
import { printEstimate, printResult } from '../terminal/print-result.ts';
import { salvoCommand } from '../terminal/process-terminal.ts';
import { createRunProgress } from '../terminal/run-progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkWritable, writeWholeFile } from '../terminal/write-file.ts';

/** `salvo chaos` */
export async function chaosCommand(options: ChaosCommandOptions, terminal: Terminal): Promise<number> {
  if (options.show !== undefined && (options.resume !== undefined || options.estimate)) {
    throw new SalvoError('OPTIONS_INVALID', '--show prints a stored run: give it without --resume and --estimate.');
  }
  const { cwd, env } = terminal;
  const request = { ...options, tags: options.tag, cwd, env, patience: databasePatience({}, terminal) };
  if (options.estimate) {
    const { estimateRun } = await import('../../app/runs/estimate.ts');
    return await printEstimate(await estimateRun(chaosRequest(request)), options, terminal);
  }
  await checkWritable([options.markdown, options.csv], terminal);
  const document = await (options.show === undefined
    ? performed(options, request, terminal)
    : storedChaos({ cwd, env, run: options.show, maxFalseSuccess: options.maxFalseSuccess }));
  printResult({ json: options.json, kind: 'chaos', document, text: (look) => renderChaos(document, look) }, terminal);
  await writeWholeFile(options.markdown, terminal, (write) => write(chaosMarkdown(document)));
  await writeWholeFile(options.csv, terminal, (write) => write(chaosCsv(document)));
  return document.exit_code;
}

async function performed(
  options: ChaosCommandOptions,
  request: Parameters<typeof performChaos>[0],
  terminal: Terminal,
): Promise<ChaosDocument> {
  const { stop, abort, leave } = terminal;
  const { onEvent, finish } = createRunProgress(terminal, {
    quiet: options.quiet,
    resumed: options.resume !== undefined,
  });
  const workers = { command: salvoCommand(), leave };
  const { finished, document } = await performChaos({ ...request, workers, stop, abort, onEvent }).finally(finish);
  await finished[Symbol.asyncDispose]();
  return document;
}
