import { Hono } from 'hono';
import type { ProjectView, ViewedProject } from '../app/view/viewed-project.ts';
import type { ViewerRight } from '../app/view/viewer-rights.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { type AccessOptions, guardAccess } from './access.ts';
import { compareRoutes } from './compare-routes.ts';
import { experimentRoutes } from './experiment-routes.ts';
import { judgeRoutes } from './judge-routes.ts';
import { labelRoutes } from './label-routes.ts';
import { needRights } from './need-right.ts';
import { pageFiles } from './page-files.ts';
import { addPageHeaders } from './page-headers.ts';
import { resultRoutes } from './result-routes.ts';
import { runRoutes } from './run-routes.ts';
import { streamChanges } from './stream-changes.ts';
import { trialRoutes } from './trial-routes.ts';

/** The whole viewer as a function from requests to answers: the API under `/api`, and the page. */
export function viewerApp(
  viewed: ViewedProject,
  options: AccessOptions & { rights: readonly ViewerRight[]; pages?: URL | undefined },
): Hono {
  const app = new Hono();
  app.use(addPageHeaders);
  // Says nothing about the results, so that a monitor of the process needs no token.
  app.get('/healthz', (context) => context.text('ok\n'));
  app.use(guardAccess(options));
  app.route('/api', viewerApi(viewed, options.rights));
  app.route('/', pageFiles(options.pages));
  app.notFound((context) => context.text('There is no such page.\n', 404));
  app.onError((error, context) => context.text(`${messageOf(error)}\n`, 500));
  return app;
}

/** The API without access control, for the HTML file that contains its answers. */
export function viewerApi(viewed: ViewedProject, rights: readonly ViewerRight[]): Hono {
  const api = new Hono();
  const need = needRights(rights);
  api.get('/project', async (context) => {
    const project: ProjectView = { ...(await viewed.about()), rights };
    return context.json(project);
  });
  api.route('/runs', runRoutes(viewed, need));
  api.route('/', trialRoutes(viewed));
  api.route('/experiments', experimentRoutes(viewed));
  api.route('/', resultRoutes(viewed));
  api.route('/judges', judgeRoutes(viewed));
  api.route('/compare', compareRoutes(viewed));
  if (viewed.project !== null) api.route('/labels', labelRoutes(viewed, viewed.project, need));
  api.get('/events', (context) => streamChanges(context, viewed));
  api.notFound((context) => context.json({ error: 'There is no such resource.' }, 404));
  api.onError((error, context) => context.json({ error: messageOf(error) }, statusOf(error)));
  return api;
}

function messageOf(error: Error): string {
  return error instanceof SalvoError ? error.message : 'The viewer failed. The terminal shows why.';
}

function statusOf(error: Error): 400 | 404 | 500 {
  if (!(error instanceof SalvoError)) return 500;
  return error.code.includes('UNKNOWN') ? 404 : 400;
}
