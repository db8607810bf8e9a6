import { Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { lowestLimit, type ResumeLimits } from '../app/view/resume-budget.ts';
import { type ProjectView, storeOf, type ViewedProject } from '../app/view/viewed-project.ts';
import type { NeedRight, ViewerDoor } from '../app/view/viewer-door.ts';
import type { ViewerRight } from '../app/view/viewer-rights.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { type AccessOptions, guardAccess } from './access.ts';
import { answer } from './answer.ts';
import { compareRoutes } from './compare-routes.ts';
import { errorStatus } from './error-status.ts';
import { labelRoutes } from './label-routes.ts';
import { pageFiles } from './page-files.ts';
import { runRoutes } from './run-routes.ts';
import { streamChanges } from './stream-changes.ts';
import { trialRoutes } from './trial-routes.ts';

/** The whole viewer as a function from requests to answers: the API under `/api`, and the page. */
export function viewerApp(
  viewed: ViewedProject,
  options: AccessOptions & ApiOptions & { pages?: URL | undefined },
): Hono {
  const app = new Hono();
  app.use(addPageHeaders);
  // Not the stream of changes: its events would wait in a buffer.
  app.use(compress());
  // Says nothing about the results, so that a monitor of the process needs no token.
  app.get('/healthz', (context) => context.text('ok\n'));
  app.use(guardAccess(options));
  app.route('/api', viewerApi(viewed, options));
  const added = options.doors?.map(({ pages }) => pages);
  app.route('/', pageFiles(options.pages, added));
  app.notFound((context) => context.text('There is no such page.\n', 404));
  app.onError((error, context) => context.text(`${messageOf(error, options.onFailure)}\n`, 500));
  return app;
}

export interface ApiOptions extends ResumeLimits {
  rights: readonly ViewerRight[];
  /** What packages add. */
  doors?: readonly ViewerDoor[] | undefined;
  /** Called with every error that is a fault of the viewer, and not of a request. */
  onFailure?: ((error: Error) => void) | undefined;
}

// A page loads only the views that it shows.
const mutationViews = () => import('../app/view/mutations/mutation-view.ts');
const judgeViews = () => import('../app/view/judges/judge-view.ts');
const comparisons = () => import('../app/view/judges/comparison-view.ts');

/** The API without access control, for the HTML file that contains its answers. */
export function viewerApi(viewed: ViewedProject, { rights, doors = [], onFailure, ...limits }: ApiOptions) {
  const need = needRights(rights);
  const api = new Hono()
    .get('/project', async (context) => {
      const most = lowestLimit(limits.maxBudgetUsd, viewed.project?.config.budget_usd) ?? null;
      const project: ProjectView = { ...(await viewed.about()), rights, max_budget_usd: most };
      return answer(context, project);
    })
    .route('/runs', runRoutes(viewed, need, limits))
    .route('/', trialRoutes(viewed, need))
    .get('/judges', async (context) => answer(context, await (await judgeViews()).judgeLines(await viewed.store())))
    .get('/judges/:judge', async (context) =>
      answer(context, await (await judgeViews()).judgeView(await storeOf(viewed), context.req.param('judge'))),
    )
    .get('/comparisons', async (context) =>
      answer(context, await (await comparisons()).comparisonLines(await viewed.store())),
    )
    .get('/comparisons/:comparison', async (context) =>
      answer(
        context,
        await (await comparisons()).comparisonView(await storeOf(viewed), context.req.param('comparison')),
      ),
    )
    .get('/mutations', async (context) =>
      answer(context, await (await mutationViews()).mutationLines(await viewed.store())),
    )
    .get('/mutations/:mutation', async (context) =>
      answer(context, await (await mutationViews()).mutationView(await storeOf(viewed), context.req.param('mutation'))),
    )
    .route('/compare', compareRoutes(viewed))
    .route('/labels', labelRoutes(viewed, need))
    .get('/events', (context) => streamChanges(context, viewed));
  for (const door of doors) door.addRoutes(api, viewed, need, limits);
  viewed.result?.addRoutes(api);
  api.all('*', (context) => context.json({ error: 'There is no such resource.' }, 404));
  api.onError((error, context) => {
    const status = error instanceof SalvoError ? errorStatus(error.code) : 500;
    return context.json({ error: messageOf(error, onFailure) }, status);
  });
  return api;
}

/** Salvo's own routes with what they take and answer: the page's client has its types from here. */
export type ViewerApi = ReturnType<typeof viewerApi>;

/** What went wrong inside is for whoever started the viewer: it may name files of the machine. */
function messageOf(error: Error, onFailure: ApiOptions['onFailure']): string {
  if (error instanceof SalvoError) return error.message;
  onFailure?.(error);
  return onFailure ? 'The viewer failed. The terminal in which it runs shows why.' : 'The viewer failed.';
}

function needRights(rights: readonly ViewerRight[]): NeedRight {
  return (right) => async (context, next) => {
    if (rights.includes(right)) return await next();
    const error = `This viewer does not allow it. Whoever starts it can add the right: \`salvo view --allow ${right}\`.`;
    return context.json({ error }, 403);
  };
}

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Nothing but the viewer's own files runs in its pages, and no other site can embed or read them. */
const addPageHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  const { headers } = context.res;
  headers.set('content-security-policy', CONTENT_SECURITY_POLICY);
  headers.set('x-content-type-options', 'nosniff');
  headers.set('referrer-policy', 'no-referrer');
  headers.set('cross-origin-opener-policy', 'same-origin');
  headers.set('cross-origin-resource-policy', 'same-origin');
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
};
