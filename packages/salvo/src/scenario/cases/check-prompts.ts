import type { CheckedScenario } from '../checks/scenario-checks.ts';
import type { FileAt } from '../checks/written-path.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Problem } from '../diagnostics/problem.ts';
import type { Scenario } from '../schema/scenario-schema.ts';
import { promptVariants } from './prompt-variants.ts';

interface PromptChecks {
  fileAt: FileAt;
  readRoot: string;
  /** What the scenario is called if it has no name. */
  defaultName: string;
  /** Checks a scenario with one prompt. */
  check: (value: unknown, fileAt: FileAt) => CheckedScenario;
}

/** Checks a scenario with each of its prompts: a scenario for each, and every problem once. */
export function checkPrompts(
  value: Record<string, unknown>,
  { check, defaultName, ...place }: PromptChecks,
): { data: Scenario[] | null; problems: Problem[]; diagnostics: Diagnostic[] } {
  const { variants, ...found } = promptVariants(value, place);
  const problems = new Map<string, Problem>();
  const diagnostics = new Map<string, Diagnostic>();
  const scenarios: Scenario[] = [];
  for (const problem of found.problems) problems.set(JSON.stringify(problem), problem);
  for (const each of found.diagnostics) diagnostics.set(JSON.stringify(each), each);
  for (const { name: prompt, value: variant, written, file } of found.problems.length > 0 ? [] : variants) {
    const ofPrompt = new Set(['prompt', 'messages', 'system_prompt']);
    const fileAt: FileAt = (path) =>
      file !== null && ofPrompt.has(String(path[0])) ? file : place.fileAt(written(path));
    const checked = check(variant, fileAt);
    for (const problem of checked.problems) {
      const placed = { ...problem, path: written(problem.path) };
      problems.set(JSON.stringify([placed.path, placed.code, placed.message]), placed);
    }
    for (const each of checked.diagnostics) diagnostics.set(JSON.stringify(each), each);
    if (!checked.data) continue;
    const scenario = checked.data.name ?? defaultName;
    scenarios.push({ ...checked.data, name: `${scenario} [${prompt}]`, prompt_of: { scenario, prompt } });
  }
  const isWhole = scenarios.length === variants.length && scenarios.length > 0;
  return {
    data: isWhole ? scenarios : null,
    problems: [...problems.values()],
    diagnostics: [...diagnostics.values()],
  };
}
