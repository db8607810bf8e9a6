import {
  type CalibrateProjectCascadeOptions,
  calibrateProjectCascade,
} from '../../app/judges/calibrate-project-cascade.ts';
import type { CascadeCalibration } from '../../judge/cascade/cascade-calibration.ts';
import { renderCascade } from '../../report/judge/cascade-report.ts';
import type { Given, LongCommandOptions } from '../program/command-options.ts';
import { createJudgeProgress } from '../terminal/judge-progress.ts';
import { printResult } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';

type CascadeOptions = Given<CalibrateProjectCascadeOptions> & LongCommandOptions & { json: boolean };

/** `salvo calibrate LABELS --cascade` */
export async function calibrateCascadeCommand(options: CascadeOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stop, abort } = terminal;
  const { onEvent, finish } = createJudgeProgress(terminal, options);
  let found: CascadeCalibration;
  try {
    found = await calibrateProjectCascade({ ...options, cwd, env, stop, abort, onEvent }).finally(finish);
  } catch (error) {
    if (error !== stop.reason) throw error;
    terminal.stderr.write('\nStopped before anything was judged.\n');
    return 3;
  }
  printResult(
    { json: options.json, kind: 'calibrate-cascade', document: found, text: (look) => renderCascade(found, look) },
    terminal,
  );
  return found.exit_code;
}
