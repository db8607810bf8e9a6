import type { Work } from '../../queue/lease.ts';
import { resolveExperimentId, resolveRunId } from '../../store/resolve-id.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { openProject, type Workplace } from '../project/open-project.ts';

/** Removes a stored run for good, with all that only it refers to: by its id, the beginning of it, or `latest`. */
export async function deleteRun({ run, ...place }: Workplace & { run: string }): Promise<void> {
  await using opened = await openProject(place);
  await remove(opened.store, { kind: 'run', id: await resolveRunId(opened.store, run) });
}

/** Removes a stored experiment with its games for good: by its id, the beginning of it, or `latest`. */
export async function deleteExperiment({ experiment, ...place }: Workplace & { experiment: string }): Promise<void> {
  await using opened = await openProject(place);
  const id = await resolveExperimentId(opened.store, experiment, { toResume: false });
  await remove(opened.store, { kind: 'experiment', id });
}

async function remove(store: Store, { kind, id }: Work): Promise<void> {
  const [runs, experiments] = kind === 'run' ? [[id], []] : [[], [id]];
  const removed = await store.removeForGood({ runs, experiments });
  if (removed.runs + removed.experiments > 0) return;
  const code = kind === 'run' ? 'RUN_AT_WORK' : 'EXPERIMENT_AT_WORK';
  throw new SalvoError(code, `A process works on ${kind} ${id}: stop it, or wait until it has ended.`);
}
