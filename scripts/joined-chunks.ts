import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import type { BuiltPackage } from './packages.ts';

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: string[]; dynamicallyImportedIds: string[] } | null;
}

/**
 * Names the file of a module after the starts that load it: Node needs more time to find hundreds of small files than to
 * run them. Null for entries, and for modules that are loaded later, if at all.
 */
export function joinedChunks(
  modules: string,
  { entries, starts, library }: BuiltPackage,
): (id: string, graph: ModuleGraph) => string | null {
  const entryFiles = new Set(Object.values(entries).map((file) => `${file}.js`));
  let files: Map<string, string> | undefined;
  return (id, graph) => {
    files ??= fileOfEach(modules, graph, { starts, library });
    return entryFiles.has(relative(modules, id)) ? null : (files.get(id) ?? null);
  };
}

function fileOfEach(
  modules: string,
  graph: ModuleGraph,
  { starts: all, library }: Pick<BuiltPackage, 'starts' | 'library'>,
): Map<string, string> {
  const startsOf = new Map<string, string[]>();
  const loadedBy = new Map<string, Set<string>>();
  for (const [start, { loads, after = [] }] of Object.entries(all)) {
    const loaded = withImports(
      loads.map((file) => `${modules}/${file}.js`),
      graph,
    );
    const before = new Set(after.flatMap((each) => [...(loadedBy.get(each) ?? [])]));
    for (const id of loaded) if (!before.has(id)) startsOf.set(id, [...(startsOf.get(id) ?? []), start]);
    loadedBy.set(start, new Set([...before, ...loaded]));
  }
  const laterOf = loadedLater(loadedBy.get('run') ?? new Set(), graph, new Set(startsOf.keys()));
  return new Map(
    [...startsOf].map(([id, starts]) => [
      id,
      `for-${sharedName(starts, library) ?? `${starts.join('-')}${laterOf(id)}`}`,
    ]),
  );
}

/**
 * What the command line shares with the library is little, so that whoever needs some of it may load all of it. A run,
 * whose sources are counted, and `salvo-arena/match`, which needs little, load only their own.
 */
function sharedName(starts: readonly string[], library: readonly string[]): string | null {
  const [first = ''] = starts;
  if (!['start', 'list', 'help'].includes(first) || !starts.some((start) => library.includes(start))) return null;
  return [first, ...starts.filter((start) => start === 'run' || start === 'match'), 'library'].join('-');
}

/**
 * What a run may load later, such as an adapter, often belongs to another start. It must not bring along all that this
 * start loads, so each set of modules that are needed by the same dynamic imports has a file of its own.
 */
function loadedLater(run: ReadonlySet<string>, graph: ModuleGraph, joined: ReadonlySet<string>) {
  const importsOf = new Map<string, string[]>();
  for (const target of new Set([...run].flatMap((id) => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []))) {
    // Commands are starts of their own, or not joined.
    if (graph.getModuleInfo(target) === null || /\/src\/cli\//.test(target)) continue;
    for (const id of withImports([target], graph))
      if (joined.has(id) && !run.has(id)) importsOf.set(id, [...(importsOf.get(id) ?? []), target]);
  }
  return (id: string): string => {
    const imports = importsOf.get(id);
    return imports === undefined ? '' : `-${createHash('sha256').update(imports.join()).digest('hex').slice(0, 6)}`;
  };
}

function withImports(files: readonly string[], graph: ModuleGraph): Set<string> {
  const loaded = new Set(files);
  for (const id of loaded) {
    const module = graph.getModuleInfo(id);
    if (!module) throw new Error(`scripts/joined-chunks.ts: there is no module ${id}.`);
    for (const imported of module.importedIds) if (graph.getModuleInfo(imported)) loaded.add(imported);
  }
  return loaded;
}
