import { checkWritable, documentJson, printResult, type Terminal, writeWholeFile } from 'salvo/kit/cli';
import { kindOf } from '../app/documents/document-kinds.ts';
import { playBlue } from '../app/games/play-blue.ts';
import { renderFindings } from '../report/scan/scan-report.ts';
import { withBlueCommand } from './program/blue-command.ts';
import type { BlueCommandOptions } from './program/command-options.ts';
import { unlessStopped } from './terminal/exit-code.ts';

/** `salvo blue` */
export async function blueCommand({ json, out, ...options }: BlueCommandOptions, terminal: Terminal): Promise<number> {
  await checkWritable([out], terminal);
  const { cwd, env, stop: signal } = terminal;
  const outcome = await unlessStopped('Blue', terminal, playBlue({ ...withBlueCommand(options), cwd, env, signal }));
  if (outcome === null) return 3;
  const { findings } = outcome;
  await writeWholeFile(out, terminal, (write) => write(documentJson(kindOf('blue'), { findings })));
  printResult(
    { json, kind: kindOf('blue'), document: { findings }, text: (look) => renderFindings(outcome, look) },
    terminal,
  );
  return 0;
}
