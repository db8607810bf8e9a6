import type { Workplace } from '../app/project/open-project.ts';
import type { RunningViewer, ViewerOptions } from '../server/serve-viewer.ts';
import { openResources } from '../text/open-resources.ts';

export interface StartViewerOptions extends Workplace, ViewerOptions {
  /** What `url` opens: `latest`, or the beginning of the id of a run or of what a package stores. */
  target?: string | undefined;
}

/**
 * Serves the viewer of a project until it is disposed of, like `salvo view`: it needs a token, only this machine can
 * connect, and nobody can change anything if others can. The server is loaded when this is called.
 */
export async function startViewer(options: StartViewerOptions = {}): Promise<RunningViewer> {
  const { cwd, env = process.env, target, ...served } = options;
  const [{ pageAddress }, { viewProject }, { cliProgram }, { serveViewer }] = await Promise.all([
    import('../app/view/find-subject.ts'),
    import('../app/view/viewed-project.ts'),
    import('../server/page-files.ts'),
    import('../server/serve-viewer.ts'),
  ]);
  await using resources = openResources();
  const viewed = resources.use(await viewProject({ cwd, env, command: [process.execPath, cliProgram()] }));
  const page = await pageAddress(viewed, target);
  const viewer = resources.use(await serveViewer(viewed, { ...served, env }));
  const { url, urlsElsewhere } = viewer;
  return resources.keepFor({
    ...viewer,
    url: `${url}${page}`,
    urlsElsewhere: urlsElsewhere.map((each) => `${each}${page}`),
  });
}
