import { relative } from 'node:path';

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: string[] } | null;
}

/**
 * The starts that should open few files: each with the modules that it always loads. What several of them need is in
 * one file for all of them, and no start loads a module that only another one needs.
 */
const STARTS: Readonly<Record<string, readonly string[]>> = {
  // Not cli/start.js: it waits for these.
  start: ['salvo/src/cli/run-main.js', 'salvo/src/cli/terminal/process-guard.js'],
  run: ['salvo/src/cli/program/run-program.js', 'salvo/src/cli/runs/run.js'],
  score: ['salvo-arena/src/cli/program/score-program.js', 'salvo-arena/src/cli/score.js'],
  game: ['salvo-arena/src/cli/program/arena-program.js', 'salvo-arena/src/cli/game.js'],
  view: [
    'salvo/src/cli/program/results-program.js',
    'salvo/src/cli/results/view.js',
    'salvo/src/app/view/runs/run-view.js',
  ],
  index: ['salvo/src/index.js'],
  judge: ['salvo/src/judge.js'],
  match: ['salvo-arena/src/match.js'],
  arena: ['salvo-arena/src/index.js'],
  agent: ['salvo/src/adapters/agent/agent-process.js'],
  compare: ['salvo/src/app/view/compare/compare-thread.js'],
};

/**
 * Names the file of a module after the starts that load it: Node needs more time to find hundreds of small files than to
 * run them. Null for entries, and for modules that are loaded later, if at all.
 */
export function joinedChunks(
  modules: string,
  entries: ReadonlySet<string>,
): (id: string, graph: ModuleGraph) => string | null {
  let startsOf: Map<string, string[]> | undefined;
  return (id, graph) => {
    startsOf ??= startsByModule(modules, graph);
    const starts = entries.has(relative(modules, id)) ? undefined : startsOf.get(id);
    return starts ? `for-${starts.join('-')}` : null;
  };
}

function startsByModule(modules: string, graph: ModuleGraph): Map<string, string[]> {
  const startsOf = new Map<string, string[]>();
  for (const [start, files] of Object.entries(STARTS)) {
    const loaded = new Set(files.map((file) => `${modules}/${file}`));
    for (const id of loaded) {
      const module = graph.getModuleInfo(id);
      if (!module) throw new Error(`scripts/joined-chunks.ts: there is no module ${id}.`);
      for (const imported of module.importedIds) if (graph.getModuleInfo(imported)) loaded.add(imported);
    }
    for (const id of loaded) startsOf.set(id, [...(startsOf.get(id) ?? []), start]);
  }
  return startsOf;
}
