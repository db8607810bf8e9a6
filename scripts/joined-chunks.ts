import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import type { BuiltPackage } from './packages.ts';

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: string[]; dynamicallyImportedIds: string[]; code: string | null } | null;
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
  joinSmallFiles(startsOf, graph);
  const laterOf = loadedLater(loadedBy.get('run') ?? new Set(), graph, new Set(startsOf.keys()));
  return new Map(
    [...startsOf].map(([id, starts]) => [
      id,
      `for-${sharedName(starts, library) ?? `${starts.join('-')}${laterOf(id)}`}`,
    ]),
  );
}

/** A file with less code than this, in characters, takes longer to find than to run. */
const SMALL = 12_000;
/** Starts that may have to load a small file that they do not need. The others are those whose sources are few. */
const PATIENT = ['view', 'judge', 'compare', 'kit'];

/**
 * Joins a small file that a run loads with one that the same starts and exactly one more load. No file is joined with two,
 * and none that was joined is joined again: so no file imports another one that imports it.
 */
function joinSmallFiles(startsOf: Map<string, string[]>, graph: ModuleGraph): void {
  const files = Map.groupBy(startsOf.keys(), (id) => startsOf.get(id)?.join('-') ?? '');
  const grown = new Set<string>();
  for (const [name, ids] of files) {
    const starts = name.split('-');
    const size = ids.reduce((sum, id) => sum + (graph.getModuleInfo(id)?.code?.length ?? 0), 0);
    if (size > SMALL || starts[0] !== 'run' || grown.has(name)) continue;
    const larger = [...files.keys()].find((other) => isOneMore(other.split('-'), starts));
    const [first] = (larger !== undefined && files.get(larger)) || [];
    const target = first === undefined ? undefined : startsOf.get(first);
    if (larger === undefined || target?.join('-') !== larger) continue;
    grown.add(larger);
    for (const id of ids) startsOf.set(id, target);
  }
}

function isOneMore(larger: readonly string[], smaller: readonly string[]): boolean {
  const more = larger.filter((start) => !smaller.includes(start));
  return larger.length === smaller.length + 1 && more.length === 1 && PATIENT.includes(more[0] ?? '');
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
