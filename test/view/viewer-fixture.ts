import { viewProject } from '../../packages/salvo/src/app/view/viewed-project.ts';
import { type RunningViewer, serveViewer } from '../../packages/salvo/src/server/serve-viewer.ts';
import { viewerDoor } from '../../packages/salvo-arena/src/server/viewer-door.ts';
import { builtMain, builtPages } from '../built-package.ts';

// Here, where no time limit of a test ends it: it may have to be built.
const COMMAND = [process.execPath, await builtMain()];
export const PAGES = await builtPages();
const ARENA_PAGES = new URL('../../../salvo-arena/dist/web/', PAGES);
/** What packages add to the viewer, with their built pages. */
export const DOORS = [
  {
    ...viewerDoor,
    pages: { script: new URL('pages.js', ARENA_PAGES), style: new URL('pages.css', ARENA_PAGES) },
  },
];

/** What a program needs to start, without the keys of whoever runs the tests. */
function processEnv(): Record<string, string | undefined> {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR };
}

export interface ViewerFixture extends RunningViewer {
  /** A request with the token, as the page sends it. */
  request(path: string, init?: RequestInit): Promise<Response>;
}

/** The viewer of a project, with its real server. */
export async function viewerFixture(root: string): Promise<ViewerFixture> {
  const viewed = await viewProject({ cwd: root, env: processEnv(), command: COMMAND });
  const viewer = await serveViewer(viewed, { pages: PAGES, doors: DOORS });
  const entered = await fetch(viewer.url, { redirect: 'manual' });
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return {
    ...viewer,
    request: (path, init = {}) =>
      fetch(`${viewer.origin}${path}`, { ...init, headers: { cookie, origin: viewer.origin, ...init.headers } }),
    [Symbol.asyncDispose]: async () => {
      await viewer[Symbol.asyncDispose]();
      await viewed[Symbol.asyncDispose]();
    },
  };
}
