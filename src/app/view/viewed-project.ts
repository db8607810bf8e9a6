import { basename } from 'node:path';
import type { ScoreSheet } from '../../report/score/score-sheet.ts';
import { loadProject } from '../../scenario/load-project.ts';
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
  /** All that there is to see, if that is not a whole project: of an HTML file, or of `salvo score`. The front page first. */
  contents: ViewedPage[];
}

export interface ViewedPage {
  name: string;
  /** The address of its page. */
  href: string;
}

/** The project that a viewer shows. Its store is opened when there is one: the first run may come later. */
export interface ViewedProject extends AsyncDisposable {
  about(): Promise<ProjectView>;
  /** Null as long as nothing is stored. */
  store(): Promise<Store | null>;
  /** What `salvo score` found, if that is shown. */
  score: ScoreSheet | null;
}

export async function viewProject(
  { cwd = process.cwd(), env = process.env }: Workplace = {},
  /** `readOnly`: nothing will be written, so it need not be possible. */
  { readOnly = false }: { readOnly?: boolean } = {},
): Promise<ViewedProject> {
  const project = await loadProject(cwd);
  let opened: Promise<Store> | null = null;
  let isClosed = false;
  const openedStore = (): Promise<Store> => {
    opened ??= openProjectStore(project, { env, mustExist: true, readOnly }).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
  return {
    about: async () => ({ name: basename(project.root), salvo_version: salvoVersion(), live: true, contents: [] }),
    score: null,
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

/** What `salvo score` found: shown without a store. */
export function viewScore(score: ScoreSheet): ViewedProject {
  return {
    about: async () => ({
      ...{ name: basename(score.red.file), salvo_version: salvoVersion(), live: false },
      contents: [{ name: 'Score', href: '/score' }],
    }),
    store: async () => null,
    score,
    [Symbol.asyncDispose]: async () => {},
  };
}

/** The store of a viewed project. Throws as long as nothing is stored. */
export async function storeOf(viewed: ViewedProject): Promise<Store> {
  const store = await viewed.store();
  if (store === null) throw nothingStored();
  return store;
}
