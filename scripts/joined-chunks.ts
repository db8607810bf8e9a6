import { createHash } from 'node:crypto';
import { relative } from 'node:path';

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: string[]; dynamicallyImportedIds: string[] } | null;
}

interface Start {
  /** The modules that it always loads, with all that they import. */
  loads: readonly string[];
  /** The starts that the same process has behind it then: what they load is there. */
  after?: readonly string[];
}

const PROGRAMS = [
  'arena',
  'compare',
  'db',
  'experiment',
  'judge',
  'other',
  'plan',
  'project',
  'results',
  'run',
  'score',
  'worker',
];
const LIBRARY = ['index', 'judge', 'match', 'arena', 'compare'];

/**
 * The starts that should open few files. What several of them need is in one file for all of them, and no start loads a
 * module that only another one needs.
 */
const STARTS: Readonly<Record<string, Start>> = {
  // Not cli/start.js: it waits for this.
  start: { loads: ['cli/run-main.js'] },
  help: {
    loads: [...PROGRAMS.map(programOf), 'cli/program/command-help.js'],
    after: ['start'],
  },
  run: { loads: [programOf('run'), 'cli/runs/run.js'], after: ['start'] },
  score: { loads: [programOf('score'), 'cli/games/score.js'], after: ['start'] },
  game: { loads: [programOf('arena'), 'cli/games/game.js'], after: ['start'] },
  view: { loads: [programOf('results'), 'cli/results/view.js', 'app/view/runs/run-view.js'], after: ['start'] },
  index: { loads: ['index.js'] },
  judge: { loads: ['judge.js'] },
  match: { loads: ['match.js'] },
  arena: { loads: ['arena.js'] },
  agent: { loads: ['adapters/agent/agent-process.js'] },
  compare: { loads: ['app/view/compare/compare-thread.js'] },
};

/**
 * Names the file of a module after the starts that load it: Node needs more time to find hundreds of small files than to
 * run them. Null for entries, and for modules that are loaded later, if at all.
 */
export function joinedChunks(
  modules: string,
  entries: ReadonlySet<string>,
): (id: string, graph: ModuleGraph) => string | null {
  let files: Map<string, string> | undefined;
  return (id, graph) => {
    files ??= fileOfEach(modules, graph);
    return entries.has(relative(modules, id)) ? null : (files.get(id) ?? null);
  };
}

function fileOfEach(modules: string, graph: ModuleGraph): Map<string, string> {
  const startsOf = new Map<string, string[]>();
  const loadedBy = new Map<string, Set<string>>();
  for (const [start, { loads, after = [] }] of Object.entries(STARTS)) {
    const loaded = withImports(
      loads.map((file) => `${modules}/${file}`),
      graph,
    );
    const before = new Set(after.flatMap((each) => [...(loadedBy.get(each) ?? [])]));
    for (const id of loaded) if (!before.has(id)) startsOf.set(id, [...(startsOf.get(id) ?? []), start]);
    loadedBy.set(start, new Set([...before, ...loaded]));
  }
  const laterOf = loadedLater(loadedBy.get('run') ?? new Set(), graph, new Set(startsOf.keys()));
  return new Map(
    [...startsOf].map(([id, starts]) => [id, `for-${sharedName(starts) ?? `${starts.join('-')}${laterOf(id)}`}`]),
  );
}

/** The definition of commands. */
function programOf(name: string): string {
  return `cli/program/${name}-program.js`;
}

/** What the command line shares with the library is little, so that whoever needs some of it may load all of it. */
function sharedName(starts: readonly string[]): string | null {
  const [first = ''] = starts;
  if (!['start', 'help'].includes(first) || !starts.some((start) => LIBRARY.includes(start))) return null;
  return starts.includes('run') ? `${first}-run-library` : `${first}-library`;
}

/**
 * What a run may load later, such as an adapter, often belongs to another start. It must not bring along all that this
 * start loads, so each set of modules that are needed by the same dynamic imports has a file of its own.
 */
function loadedLater(run: ReadonlySet<string>, graph: ModuleGraph, joined: ReadonlySet<string>) {
  const importsOf = new Map<string, string[]>();
  for (const target of new Set([...run].flatMap((id) => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []))) {
    // Commands are starts of their own, or not joined.
    if (graph.getModuleInfo(target) === null || target.includes('/modules/cli/')) continue;
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
