import { resolveRunId } from '../../store/resolve-id.ts';
import type { Store } from '../../store/store.ts';
import type { WorkModule } from '../../store/table-module.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { openProject, type Workplace } from '../project/open-project.ts';

/** Removes a stored run for good, with all that only it refers to: by its id, the beginning of it, or `latest`. */
export async function deleteRun({ run, ...place }: Workplace & { run: string }): Promise<void> {
  await using opened = await openProject(place);
  await removeWork(opened.store, await resolveRunId(opened.store, run));
}

/** Removes a run, or work of a module, for good. Throws if a process works on it. */
export async function removeWork(store: Store, id: string, module?: WorkModule): Promise<void> {
  if ((await store.removeForGood([id], module)) > 0) return;
  const message = `A process works on ${module?.work.kind ?? 'run'} ${id}: stop it, or wait until it has ended.`;
  throw new SalvoError('AT_WORK', message);
}
