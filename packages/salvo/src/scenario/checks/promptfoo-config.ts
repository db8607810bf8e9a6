import { displayPath } from '../diagnostics/format-diagnostics.ts';
import type { Problem } from '../diagnostics/problem.ts';

const KEYS = ['prompts', 'providers', 'targets', 'tests', 'defaultTest', 'scenarios', 'redteam'];

/** Whether a map is a config of promptfoo: it has at least two of its keys, or red teaming. */
export function looksLikePromptfoo(value: Record<string, unknown>): boolean {
  const found = KEYS.filter((key) => Object.hasOwn(value, key));
  return found.length >= 2 || found.includes('redteam');
}

/** The one problem of a config of promptfoo that is taken for a scenario. */
export function promptfooProblem(file: string): Problem {
  return {
    code: 'not-a-scenario',
    message: 'this is a config of promptfoo, and no scenario',
    hint: `make a project of it: salvo import promptfoo ${displayPath(file, process.cwd())} --out salvo`,
    path: [],
  };
}
