import { globSync } from 'node:fs';
import { basename } from 'node:path';

/** A start that should open few files. */
export interface Start {
  /** The modules that it always loads, with all that they import: paths in `src/`, without an extension. */
  loads: readonly string[];
  /** The starts that the same process has behind it then: what they load is there. */
  after?: readonly string[];
}

export interface BuiltPackage {
  name: string;
  /** Each has a file of its own at the top of `dist/`: its name there, and its module. */
  entries: Readonly<Record<string, string>>;
  /** What several of them need is in one file for all of them, and no start loads a module that only another one needs. */
  starts: Readonly<Record<string, Start>>;
  /** Starts of programs that use the library: they share what the command line has in common with it. */
  library: readonly string[];
  /** Examples that its commands copy. */
  examples: readonly string[];
}

const kits = globSync('packages/salvo/src/kit/*.ts').map((file) => `kit/${basename(file, '.ts')}`);
const SDKS = ['ai-sdk', 'openai-agents', 'claude-agent', 'langchain', 'mastra'];
const ENTRIES = ['index', 'judge', 'vitest', 'node-test', ...SDKS];
const PROGRAMS = ['judge', 'other', 'project', 'results', 'run', 'store'];
const programOf = (name: string) => `cli/program/${name}-program`;

/** The packages of this repository, each before those that import it. */
export const PACKAGES: readonly BuiltPackage[] = [
  {
    name: 'salvo',
    entries: {
      ...Object.fromEntries([...ENTRIES, 'cli/main', ...kits].map((name) => [name, name])),
      // Programs of processes and threads that Salvo starts.
      'agent-process': 'adapters/agent/agent-process',
      'compare-thread': 'app/view/compare/compare-thread',
    },
    starts: {
      // Not cli/start: it waits for these.
      start: { loads: ['cli/run-main', 'cli/program/add-commands'] },
      list: { loads: ['cli/program/listed-commands'], after: ['start'] },
      help: {
        loads: [...PROGRAMS.map(programOf), 'cli/program/command-help', 'cli/program/project-plugins'],
        after: ['start'],
      },
      run: { loads: [programOf('run'), 'cli/runs/run'], after: ['start'] },
      view: { loads: [programOf('results'), 'cli/results/view', 'app/view/runs/run-view'], after: ['start'] },
      index: { loads: ['index'] },
      judge: { loads: ['judge'] },
      // Not adapters/agent/agent-process: it waits for this.
      agent: { loads: ['adapters/agent/answer-questions'] },
      compare: { loads: ['app/view/compare/compare-thread'] },
    },
    library: ['index', 'judge', 'compare', 'kit'],
    // Those after the scenarios are templates of `salvo init`.
    examples: ['starter', 'support-agent', 'sdks/scenarios', ...SDKS.map((sdk) => `sdks/${sdk}`), 'sdks/python'],
  },
  {
    name: 'salvo-arena',
    entries: { index: 'index', match: 'match', extension: 'extension' },
    starts: {
      commands: { loads: ['cli/commands-door'] },
      score: { loads: ['cli/score'], after: ['commands'] },
      game: { loads: ['cli/game'], after: ['commands'] },
      match: { loads: ['match'] },
      arena: { loads: ['index'] },
    },
    library: ['match', 'arena'],
    examples: ['judge-agent'],
  },
  {
    name: 'salvo-postgres',
    entries: { extension: 'extension' },
    starts: {
      commands: { loads: ['cli/commands-door'] },
    },
    library: [],
    examples: [],
  },
];
