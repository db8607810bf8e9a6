import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** The files that a walk of CONTRIBUTING.md visits, in their order. */
export interface Walk {
  title: string;
  files: string[];
}

const STEP = /^\| `([^`]+\.tsx?)` \|/gm;
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g;
/** The only imports whose file depends on what is installed: see `load-extension.ts`. */
const LOADER = 'salvo/src/extension/load-extension.ts';

/** The walks below a heading of the page. Those of commands go on from the files with which every command begins. */
export function readWalks(guide: string): Walk[] {
  const [start = '', ...walks] = guide
    .slice(guide.indexOf('## The walks'), guide.indexOf('## Glossary'))
    .split('\n### ')
    .map((part) => part.trim());
  const filesOf = (text: string) => [...text.matchAll(STEP)].map(([, file = '']) => file);
  return walks.map((walk) => {
    const title = walk.split('\n', 1)[0] ?? '';
    return { title, files: [...(title.startsWith('`salvo') ? filesOf(start) : []), ...filesOf(walk)] };
  });
}

/** The steps after the first that no earlier step imports. `root` is the folder of the packages. */
export function unreachedSteps({ files }: Walk, root: string): string[] {
  const reached = new Set(files.slice(0, 1));
  return files.filter((file, index) => {
    const isReached = reached.has(file);
    for (const imported of importsOf(file, root)) reached.add(imported);
    if (file === LOADER) for (const name of ['salvo-arena', 'salvo-postgres']) reached.add(`${name}/src/extension.ts`);
    return index > 0 && !isReached;
  });
}

/** Static and dynamic imports. A kit is no step: what it exports again counts as imported by those who import the kit. */
function importsOf(file: string, root: string): string[] {
  const path = join(root, file);
  if (!existsSync(path)) return [];
  return [...readFileSync(path, 'utf8').matchAll(IMPORT)].flatMap(([, specifier = '']) => {
    const kit = /^salvo\/kit\/([\w-]+)$/.exec(specifier)?.[1];
    if (kit !== undefined) return importsOf(`salvo/src/kit/${kit}.ts`, root);
    return specifier.startsWith('.') ? [posix.join(dirname(file), specifier)] : [];
  });
}
