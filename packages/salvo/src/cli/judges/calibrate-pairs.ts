import { calibrateProjectPairs, type PairsOptions } from '../../app/judges/calibrate-pairs.ts';
import { renderPairs } from '../../report/judge/pairs-report.ts';
import type { Given, LongCommandOptions } from '../program/command-options.ts';
import { createJudgeProgress } from '../terminal/judge-progress.ts';
import { printResult } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';

type CalibratePairsOptions = Given<PairsOptions> & LongCommandOptions & { json: boolean };

/** `salvo calibrate PAIRS`: a judge that compares two answers is compared with people. */
export async function calibratePairsCommand(options: CalibratePairsOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stop, abort } = terminal;
  const { onEvent, finish } = createJudgeProgress(terminal, options);
  const found = await calibrateProjectPairs({ ...options, cwd, env, stop, abort, onEvent }).finally(finish);
  const text = (look: Parameters<typeof renderPairs>[1]) => renderPairs(found, look);
  printResult({ json: options.json, kind: 'calibrate-pairs', document: found, text }, terminal);
  return found.exit_code;
}
