import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { PackagePages } from '../../app/view/viewer-door.ts';
import { readBuilt, readPage } from '../page-files.ts';

const TYPES: Record<string, string> = { woff2: 'font/woff2', svg: 'image/svg+xml' };

/**
 * The built page as one file: its scripts, its style sheets, its fonts and its icon are in it, with those of packages. Its
 * policy allows these very texts and nothing else, and no connection at all. The answers come between `head` and `tail`.
 */
export async function standalonePage(
  folder: URL,
  { title, added }: { title: string; added: readonly PackagePages[] },
): Promise<{ head: string; tail: string }> {
  const html = await readPage(folder);
  const assets = await readAssets(folder);
  const addedScripts = await Promise.all(added.map(({ script }) => readBuilt(script)));
  const addedStyles = await Promise.all(added.flatMap(({ style }) => (style ? [readBuilt(style)] : [])));
  const scripts = [inlined(assetOf(html, 'js'), assets), ...addedScripts].map((text) => endless(`${text}`, 'script'));
  const styles = [inlined(assetOf(html, 'css'), assets), ...addedStyles].map((text) => endless(`${text}`, 'style'));
  const policy = [
    "default-src 'none'",
    `script-src ${hashesOf(scripts)}`,
    `style-src ${hashesOf(styles)}`,
    'font-src data:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const icon = assetOf(html, 'svg');
  const head = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <title>${escaped(title)}</title>
    <link rel="icon" href="${dataUrl(icon, assets.get(icon) ?? '')}" />
    ${styles.map((style) => `<style>${style}</style>`).join('\n    ')}
  </head>
  <body>
    <div id="page"></div>
`;
  const elements = scripts.map((script) => `    <script type="module">${script}</script>\n`);
  return { head, tail: `${elements.join('')}  </body>\n</html>\n` };
}

/** The file of this kind that the built page refers to. */
function assetOf(html: string, kind: 'js' | 'css' | 'svg'): string {
  const names = [...html.matchAll(/"\/assets\/([^"]+)"/g)].map(([, name = '']) => name);
  const found = names.find((name) => extension(name) === kind);
  if (found === undefined) throw new Error(`The built page has no ${kind} file.`);
  return found;
}

async function readAssets(folder: URL): Promise<Map<string, Buffer>> {
  const names = await readdir(new URL('assets/', folder));
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(new URL(`assets/${name}`, folder))] as const)),
  );
}

/** A text file of the page, with the files that it refers to as data. */
function inlined(file: string, assets: ReadonlyMap<string, Buffer>): string {
  let text = assets.get(file)?.toString('utf8') ?? '';
  for (const [name, content] of assets) {
    if (TYPES[extension(name)] !== undefined) text = text.replaceAll(`/assets/${name}`, dataUrl(name, content));
  }
  return text;
}

function dataUrl(name: string, content: Buffer | string): string {
  return `data:${TYPES[extension(name)]};base64,${Buffer.from(content).toString('base64')}`;
}

function extension(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Such a text ends its element early. In a string, which is where it can be, the escaped form means the same. */
function endless(text: string, element: 'script' | 'style'): string {
  return text.replaceAll(new RegExp(`</(?=${element})`, 'gi'), '<\\/').replaceAll('<!--', '<\\!--');
}

function hashesOf(texts: readonly string[]): string {
  return texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
