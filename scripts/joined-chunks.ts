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
  start: ['cli/run-main.js', 'cli/terminal/process-guard.js'],
  run: ['cli/program/run-program.js', 'cli/runs/run.js'],
  score: ['cli/program/score-program.js', 'cli/games/score.js'],
  game: ['cli/program/arena-program.js', 'cli/games/game.js'],
  view: ['cli/program/results-program.js', 'cli/results/view.js', 'app/view/runs/run-view.js'],
  index: ['index.js'],
  judge: ['judge.js'],
  match: ['match.js'],
  arena: ['arena.js'],
  agent: ['adapters/agent/agent-process.js'],
  compare: ['app/view/compare/compare-thread.js'],
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
