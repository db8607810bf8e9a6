import { checkWritable, createRunProgress, databasePatience, type Terminal, writeRun } from 'salvo/kit/cli';
import { createExperimentProgress } from '../../../salvo-arena/src/cli/terminal/experiment-progress.ts';
import { writeExperiment } from '../../../salvo-arena/src/cli/terminal/write-experiment.ts';
import { attach } from '../work/attach.ts';
import type { AttachCommandOptions } from './command-options.ts';

/** `salvo attach` */
export async function attachCommand(options: AttachCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stop, leave } = terminal;
  const { target, quiet } = options;
  await checkWritable([options.junit, options.markdown, options.csv], terminal);
  const started = Date.now();
  const ofRun = createRunProgress(terminal, { quiet, resumed: true, isFollowed: true });
  const ofExperiment = createExperimentProgress(terminal, { quiet, isFollowed: true });
  await using attached = await attach({
    ...{ cwd, env, stop, leave, target, patience: databasePatience(options, terminal) },
    onRunEvent: ofRun.onEvent,
    onExperimentEvent: ofExperiment.onEvent,
  }).finally(() => {
    ofRun.finish();
    ofExperiment.finish();
  });
  if (attached.kind === 'experiment') {
    return await writeExperiment({ opened: attached.opened, targets: options, terminal });
  }
  const { run, against, store, project, warnings } = attached;
  const outcome = {
    ...{ verdict: run.verdict ?? 'UNSCORED', exitCode: run.exit_code ?? 3 },
    ...{ budgetRefusal: null, earlierTrials: 0 },
  };
  const finished = { outcome, against, run, store, project, notes: warnings };
  return await writeRun(finished, { targets: options, started, isResumed: true }, terminal);
}
