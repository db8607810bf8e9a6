import { adapterSecrets } from '../adapters/adapter-secrets.ts';
import type { RunRecord } from '../run/run-record.ts';
import { loadProject } from '../scenario/load-project.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import { openStore } from '../store/open-store.ts';
import { resolveRunId } from '../store/resolve-id.ts';
import type { Store } from '../store/store.ts';
import { SalvoError } from '../text/salvo-error.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface OpenProject extends AsyncDisposable {
  project: Project;
  store: Store;
}

/** The project around the working directory, with its store; an error when nothing is stored yet. */
export async function openProject({ cwd, env }: Pick<Terminal, 'cwd' | 'env'>): Promise<OpenProject> {
  const project = await loadProject(cwd);
  const secrets = adapterSecrets({ adapters: project.config.adapters, env });
  const store = await openStore(project, { secrets, mustExist: true });
  return { project, store, [Symbol.asyncDispose]: () => store.close() };
}

export async function findRun(store: Store, idOrPrefix: string): Promise<RunRecord> {
  const runId = await resolveRunId(store, idOrPrefix);
  const run = await store.getRun(runId);
  if (!run) throw new SalvoError('RUN_UNKNOWN', `There is no run ${runId}.`);
  return run;
}
