import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Hono } from 'hono';
import { SalvoError } from '../text/errors/salvo-error.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};
const ASSET_NAME = /^[A-Za-z0-9_.-]+$/;

/** The files that `npm run build` made of `web/`. The page takes all its routes from the part after `#`. */
export function pageFiles(folder: URL = pageFolder()): Hono {
  const routes = new Hono();
  routes.get('/', async (context) => context.html(await readPage(folder)));
  routes.get('/assets/:name', async (context) => {
    const name = context.req.param('name');
    const type = TYPES[extname(name)];
    if (!ASSET_NAME.test(name) || type === undefined) return context.notFound();
    try {
      const body = await readFile(new URL(`assets/${name}`, folder));
      // Names of assets contain a hash of their content.
      const headers = { 'content-type': type, 'cache-control': 'private, max-age=31536000, immutable' };
      return context.body(new Uint8Array(body), 200, headers);
    } catch {
      return context.notFound();
    }
  });
  return routes;
}

export async function readPage(folder: URL): Promise<string> {
  try {
    return await readFile(new URL('index.html', folder), 'utf8');
  } catch {
    throw new SalvoError(
      'VIEWER_PAGES_MISSING',
      `The viewer's pages are missing in ${fileURLToPath(folder)}. Run \`npm run build\`.`,
    );
  }
}

/** From source it is `dist/web` of the repository; in the package, the code is in `dist` itself. */
export function pageFolder(): URL {
  const here = import.meta.url;
  return here.endsWith('.ts') ? new URL('../../dist/web/', here) : new URL('./web/', distFolder(here));
}

/** The program of the `salvo` command, for processes that are started by the viewer of another program. */
export function cliProgram(): string {
  const here = import.meta.url;
  return fileURLToPath(
    here.endsWith('.ts') ? new URL('../cli/main.ts', here) : new URL('./cli/main.js', distFolder(here)),
  );
}

/** Chunks are in a folder below dist. */
function distFolder(here: string): URL {
  const at = here.lastIndexOf('/dist/');
  return new URL(here.slice(0, at + '/dist/'.length));
}
