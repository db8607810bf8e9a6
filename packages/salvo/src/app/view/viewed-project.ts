import { basename } from 'node:path';
import type { Hono } from 'hono';
import { loadSettings } from '../../scenario/load-project.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { nothingStored } from '../../store/resolve-id.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { salvoVersion } from '../../text/modules/salvo-version.ts';
import { openProjectStore, type Workplace } from '../project/open-project.ts';
import type { SalvoProgram } from './start-resume.ts';
import type { EmbedFile } from './trial/file-view.ts';
import type { ViewerRight } from './viewer-rights.ts';

/** What the viewer says about the project on every page. */
export interface ProjectView extends AboutProject {
  /** What it allows besides looking. */
  rights: readonly ViewerRight[];
  /** The largest budget that a run can be resumed with; null if there is no limit, so that none can be asked for. */
  max_budget_usd: number | null;
}

export interface AboutProject {
  name: string;
  salvo_version: string;
  /** False in an HTML file: nothing changes, and nothing can be written. */
  live: boolean;
  /** All that there is to see, if that is not a whole project: of an HTML file, or one result. The front page first. */
  contents: ViewedPage[];
}

export interface ViewedPage {
  name: string;
  /** The address of its page. */
  href: string;
}

/** The project that a viewer shows. Its store is opened when there is one: the first run may come later. */
export interface ViewedProject extends AsyncDisposable {
  /** Null if one result is shown, without a project. */
  project: Project | null;
  env: Record<string, string | undefined>;
  about(): Promise<AboutProject>;
  /** Null as long as nothing is stored. */
  store(): Promise<Store | null>;
  /** Null if a project is shown. */
  result: ViewedResult | null;
  program: SalvoProgram;
  /** For an HTML file: which images it contains. */
  embed?: EmbedFile | undefined;
}

/** For so long a deleted run can be restored after its viewer was killed. One that is closed removes what it deleted. */
const KEPT_SECONDS = 600;

/** `command` starts `salvo`, to resume a run. `readOnly`: nothing will be written, so it need not be possible. */
export async function viewProject({
  cwd = process.cwd(),
  env = process.env,
  command = [],
  readOnly = false,
}: Workplace & { command?: readonly string[]; readOnly?: boolean } = {}): Promise<ViewedProject> {
  const project = await loadSettings(cwd);
  let opened: Promise<Store> | null = null;
  let isClosed = false;
  const openToView = async (): Promise<Store> => {
    const store = await openProjectStore(project, { env, mustExist: true, readOnly });
    if (!readOnly) await purgeIfPossible(store, KEPT_SECONDS);
    return store;
  };
  const openedStore = (): Promise<Store> => {
    opened ??= openToView().catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
  return {
    project,
    env,
    about: async () => ({ name: basename(project.root), salvo_version: salvoVersion(), live: true, contents: [] }),
    result: null,
    store: async () => {
      // A stream of changes may ask once more.
      if (isClosed) return null;
      try {
        return await openedStore();
      } catch (error) {
        if (error instanceof SalvoError && error.code === 'RUNS_MISSING') return null;
        throw error;
      }
    },
    program: { command, cwd, env },
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      const store = await opened?.catch(() => null);
      if (!store) return;
      if (!readOnly) await purgeIfPossible(store, 0);
      await store.close();
    },
  };
}

/** What an open store has, to be looked at. Whoever opened the store closes it. */
export function viewStore({ project, store }: { project: Project; store: Store }): ViewedProject {
  return {
    project,
    env: {},
    about: async () => ({ name: basename(project.root), salvo_version: salvoVersion(), live: false, contents: [] }),
    result: null,
    store: async () => store,
    program: { command: [], cwd: project.root, env: {} },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** What one command of a package found, to be shown without a store. */
export interface ViewedResult {
  /** What the viewer says instead of the name of a project. */
  name: string;
  page: ViewedPage;
  /** As the routes of `ViewerDoor`. */
  addRoutes(api: Hono): void;
}

export function viewResult(result: ViewedResult): ViewedProject {
  const { name, page } = result;
  return {
    about: async () => ({ name, salvo_version: salvoVersion(), live: false, contents: [page] }),
    project: null,
    env: {},
    store: async () => null,
    result,
    // Nothing is stored, so there is nothing to resume.
    program: { command: [], cwd: process.cwd(), env: {} },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** What cannot be removed now, on a full disk for example, is removed the next time. */
async function purgeIfPossible(store: Store, olderThanSeconds: number): Promise<void> {
  await store.purgeDeletedRuns(olderThanSeconds).catch(() => {});
}

/** The store of a viewed project. Throws as long as nothing is stored. */
export async function storeOf(viewed: ViewedProject): Promise<Store> {
  const store = await viewed.store();
  if (store === null) throw nothingStored();
  return store;
}
