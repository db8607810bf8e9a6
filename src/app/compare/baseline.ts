import { resolve } from 'node:path';
import { type Baseline, baselineText } from '../../run/compare/baseline.ts';
import { baselineOfRun } from '../../run/compare/baseline-of-run.ts';
import { shardName } from '../../run/record/shard.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import { findRun, openProject, type Workplace } from '../project/open-project.ts';
import { baselinePath, currentCommit } from './run-source.ts';

export interface CreateBaselineOptions extends Workplace {
  /** A run: its id, the beginning of it, or `latest`, which it is if missing. */
  run?: string | undefined;
}

/** A baseline that is not written yet. */
export interface CreatedBaseline {
  baseline: Baseline;
  /** The content of its file. */
  text: string;
  /** Where salvo.yaml says that it is kept. */
  file: string;
}

/** The results of a stored run, as a small file to commit: without conversations, and without texts of scenarios. */
export async function createBaseline(options: CreateBaselineOptions = {}): Promise<CreatedBaseline> {
  await using opened = await openProject(options, { readOnly: true });
  const { store, project } = opened;
  const run = await findRun(store, options.run ?? 'latest');
  if (run.status !== 'finished') {
    const message = `Run ${run.run_id} is not finished: a baseline of a part of it would be misleading. Complete it first: ${salvoCommand()} run --resume ${run.run_id}.`;
    throw new SalvoError('RUN_UNFINISHED', message);
  }
  if (run.options.shard) {
    const message = `Run ${run.run_id} is shard ${shardName(run.options.shard)} of a run. Join the parts with \`salvo merge\`, and set that run as the baseline.`;
    throw new SalvoError('RUN_IS_SHARD', message);
  }
  const commit = await currentCommit(project.root);
  const baseline = await baselineOfRun(run, store.trials(run.run_id), { commit });
  if (!baseline.scenarios.some(({ cases }) => cases.some(({ trials }) => /[01]/.test(trials)))) {
    throw new SalvoError('NOTHING_SCORED', `No trial of run ${run.run_id} was scored: it cannot be a baseline.`, {
      outcome: 'unscored',
    });
  }
  return { baseline, text: baselineText(baseline), file: resolve(project.root, baselinePath(project)) };
}
