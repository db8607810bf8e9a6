import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Hono } from 'hono';
import type { PackagePages } from '../app/view/viewer-door.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};
const ASSET_NAME = /^[A-Za-z0-9_.-]+$/;

/**
 * The files that `npm run build` made of `web/`, and those of packages. The page takes all its routes from the part after
 * `#`.
 */
export function pageFiles(folder: URL = pageFolder(), added: readonly PackagePages[] = []): Hono {
  const routes = new Hono();
  routes.get('/', async (context) =>
    context.html(withAdded(await readPage(folder), [...(await addedAssets(added)).keys()])),
  );
  routes.get('/assets/:name', async (context) => {
    const name = context.req.param('name');
    const type = TYPES[extname(name)];
    if (!ASSET_NAME.test(name) || type === undefined) return context.notFound();
    try {
      const body = (await addedAssets(added)).get(name) ?? (await readFile(new URL(`assets/${name}`, folder)));
      // Names of assets contain a hash of their content.
      const headers = { 'content-type': type, 'cache-control': 'private, max-age=31536000, immutable' };
      return context.body(new Uint8Array(body), 200, headers);
    } catch {
      return context.notFound();
    }
  });
  return routes;
}

/** The files of packages, by the names under which they are served. */
async function addedAssets(added: readonly PackagePages[]): Promise<Map<string, Buffer>> {
  const files = added.flatMap(({ script, style }) => (style ? [script, style] : [script]));
  const assets = files.map(async (file) => {
    const content = await readBuilt(file);
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 12);
    return [`${hash}${extname(file.pathname)}`, content] as const;
  });
  return new Map(await Promise.all(assets));
}

/** A script of a package comes after Salvo's own, which it takes React and parts of pages from. */
function withAdded(html: string, names: readonly string[]): string {
  const elements = names.map((name) =>
    name.endsWith('.css')
      ? `<link rel="stylesheet" href="/assets/${name}" />`
      : `<script type="module" src="/assets/${name}"></script>`,
  );
  return html.replace('</head>', () => `${elements.join('\n')}\n</head>`);
}

export async function readPage(folder: URL): Promise<string> {
  return (await readBuilt(new URL('index.html', folder))).toString('utf8');
}

export async function readBuilt(file: URL): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch {
    throw new SalvoError(
      'VIEWER_PAGES_MISSING',
      `The viewer's pages are missing: there is no ${fileURLToPath(file)}. Run \`npm run build\`.`,
    );
  }
}

/** From source it is in the folder `dist` of the package, where the code itself is once it is built. */
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
