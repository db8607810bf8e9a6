import { basename } from 'node:path';
import { loadProject } from '../../scenario/load-project.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { nothingStored } from '../../store/resolve-id.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/salvo-error.ts';
import { salvoVersion } from '../../text/salvo-version.ts';
import { openProjectStore, type Workplace } from '../open-project.ts';

/** What the viewer says about the project on every page. */
export interface ProjectView {
  name: string;
  salvo_version: string;
  /** False in an HTML file: nothing changes, and nothing can be written. */
  live: boolean;
}

/** The project that a viewer shows. Its store is opened when there is one: the first run may come later. */
export interface ViewedProject extends AsyncDisposable {
  project: Project;
  env: Record<string, string | undefined>;
  about(): Promise<ProjectView>;
  /** Null as long as nothing is stored. */
  store(): Promise<Store | null>;
}

export async function viewProject({ cwd = process.cwd(), env = process.env }: Workplace = {}): Promise<ViewedProject> {
  const project = await loadProject(cwd);
  let opened: Promise<Store> | null = null;
  let isClosed = false;
  const openedStore = (): Promise<Store> => {
    opened ??= openProjectStore(project, { env, mustExist: true }).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
  return {
    project,
    env,
    about: async () => ({ name: basename(project.root), salvo_version: salvoVersion(), live: true }),
    store: async () => {
      // A stream of changes may ask once more.
      if (isClosed) return null;
      try {
        return await openedStore();
      } catch (error) {
        if (error instanceof SalvoError && error.code === 'NO_RUNS') return null;
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      await (await opened?.catch(() => null))?.close();
    },
  };
}

/** The store of a viewed project. Throws as long as nothing is stored. */
export async function storeOf(viewed: ViewedProject): Promise<Store> {
  const store = await viewed.store();
  if (store === null) throw nothingStored();
  return store;
}
