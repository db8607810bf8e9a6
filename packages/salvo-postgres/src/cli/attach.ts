import { checkWritable, databasePatience, type Terminal, type WorkDisplay } from 'salvo/kit/cli';
import { missingPackage, openDoors, packageOf } from 'salvo/kit/extension';
import { createRunProgress, writeRun } from 'salvo/kit/run-command';
import type { EndedRun, RunWork } from 'salvo/kit/work';
import { attach } from '../work/attach.ts';
import type { AttachCommandOptions } from './command-options.ts';

/** `salvo attach` */
export async function attachCommand(options: AttachCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stop, leave } = terminal;
  const { target, quiet } = options;
  await checkWritable([options.junit, options.markdown, options.csv], terminal);
  const started = Date.now();
  let progress: ReturnType<WorkDisplay['progress']> | null = null;
  await using attached = await attach({
    ...{ cwd, env, stop, leave, target, patience: databasePatience(options, terminal) },
    async show(kind) {
      const opened = (await displayOf(kind)).progress(terminal, { quiet, isFollowed: true });
      progress = opened;
      return opened.onEvent;
    },
  }).finally(() => progress?.finish());
  return await (await displayOf(attached.kind)).write(attached.ended, { targets: options, started, terminal });
}

async function displayOf(kind: string): Promise<WorkDisplay> {
  const displays: WorkDisplay[] = [runDisplay, ...(await openDoors('display')).flat()];
  const found = displays.find((each) => each.kind === kind);
  if (found) return found;
  throw missingPackage(packageOf('commands', kind) ?? kind, `A report of the ${kind}`);
}

const runDisplay: WorkDisplay<RunWork['event'], EndedRun> = {
  kind: 'run',
  progress: (terminal, settings) => createRunProgress(terminal, { ...settings, resumed: true }),
  async write({ run, against, store, project, warnings }, { targets, started, terminal }) {
    const outcome = {
      ...{ verdict: run.verdict ?? 'UNSCORED', exitCode: run.exit_code ?? 3 },
      ...{ budgetRefusal: null, earlierTrials: 0 },
    };
    const finished = { outcome, against, run, store, project, notes: warnings };
    return await writeRun(finished, { targets, started, isResumed: true }, terminal);
  },
};
