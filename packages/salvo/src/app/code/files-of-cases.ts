import { resolveFile } from '../../evaluators/evaluator.ts';
import { everyAssertion } from '../../scenario/cases/case-fields.ts';
import { scenarioCases } from '../../scenario/cases/scenario-cases.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Assertion, AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { transformModule } from '../../scenario/schema/text-assertions.ts';

export interface FileOfCase {
  /** Absolute. */
  file: string;
  what: 'assertion' | 'tool' | 'manifest' | 'attached';
}

/** The files that assertions and tools read, and those that messages and mocks have. Their names may contain columns of the data, so that each case has its own. */
export function filesOfCases(entries: readonly { loaded: LoadedScenario; cases: number[] | null }[]): FileOfCase[] {
  const found = new Map<string, FileOfCase>();
  for (const { loaded, cases } of entries) {
    for (const [written, { path = written }] of Object.entries(loaded.scenario.attached ?? {})) {
      const file = resolveFile(path, { scenarioFile: loaded.file });
      found.set(`attached ${file}`, { file, what: 'attached' });
    }
    for (const { module } of loaded.scenario.tools) {
      if (module === undefined) continue;
      const file = resolveFile(module, { scenarioFile: loaded.file });
      found.set(`tool ${file}`, { file, what: 'tool' });
    }
    for (const assertion of assertionsOf(loaded.scenario, cases)) {
      const context = { scenarioFile: loaded.file };
      const add = (name: string, what: FileOfCase['what']) => {
        const file = resolveFile(name, context);
        found.set(`${what} ${file}`, { file, what });
      };
      if (isCustom(assertion)) add(assertion.module, 'assertion');
      const transform = transformModule(assertion);
      if (transform !== undefined) add(transform, 'assertion');
      if (isFindings(assertion)) add(assertion.manifest, 'manifest');
    }
  }
  return [...found.values()];
}

function* assertionsOf(scenario: Scenario, chosen: readonly number[] | null): Generator<Assertion> {
  const all = everyAssertion(scenario);
  const fixed = all.filter((assertion) => !hasTemplate(assertion));
  yield* fixed;
  if (scenario.data === undefined || fixed.length === all.length) {
    if (scenario.data === undefined) yield* scenario.assertions;
    return;
  }
  const cases = scenarioCases(scenario);
  for (const index of chosen ?? scenario.data.keys()) {
    try {
      yield* cases.scenarioOf(index).assertions;
    } catch {
      // A row that gives no valid scenario is a trial that could not be scored, wherever it runs.
    }
  }
}

function hasTemplate(assertion: Assertion): boolean {
  if (isCustom(assertion)) return assertion.module.includes('{{');
  return isFindings(assertion) && assertion.manifest.includes('{{');
}

// A registered assertion type cannot have the name of a built-in one.
function isCustom(assertion: Assertion): assertion is AssertionOf<'custom'> {
  return assertion.type === 'custom';
}

function isFindings(assertion: Assertion): assertion is AssertionOf<'findings'> {
  return assertion.type === 'findings';
}
