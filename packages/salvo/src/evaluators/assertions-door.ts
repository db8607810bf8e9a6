import { openDoor, packageOf } from '../extension/load-extension.ts';
import { everyAssertion } from '../scenario/cases/case-fields.ts';
import type { Diagnostic } from '../scenario/diagnostics/diagnostic.ts';
import {
  type Assertion,
  type AssertionOf,
  type BuiltInAssertionType,
  isBuiltInType,
} from '../scenario/schema/assertion-schema.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import type { Evaluator } from './evaluator.ts';

/** A scenario whose assertions are checked before its first trial is paid for. */
interface CheckedScenario {
  scenario: Scenario;
  file: string;
  project: Project;
}

/** What a package does for an assertion type whose fields Salvo itself knows. */
interface AssertionOfPackage<A extends Assertion> {
  evaluate: Evaluator<A>;
  /** What would leave every trial of the scenario unscored, such as a file that cannot be read. */
  problems?(checked: CheckedScenario): Diagnostic[];
}

/** Other types are registered with `registerEvaluator`. */
export type AssertionsDoor = { [T in BuiltInAssertionType]?: AssertionOfPackage<AssertionOf<T>> };

declare module '../extension/extension.ts' {
  interface Doors {
    assertions: AssertionsDoor;
  }
}

/** How the package of an assertion type evaluates it. Throws if the package is not installed. */
export async function assertionOfPackage<T extends BuiltInAssertionType>(type: T) {
  const what = `The assertion type ${type}`;
  const found = (await openDoor('assertions', { name: packageOf('assertions', type) ?? 'salvo', what }))[type];
  if (found === undefined) throw new Error(`${what} has no evaluator in its package.`);
  return found;
}

/** The problems of all assertions of a scenario that packages evaluate. */
export async function problemsOfPackages(checked: CheckedScenario): Promise<Diagnostic[]> {
  const types = new Set(everyAssertion(checked.scenario).map(({ type }) => type));
  const used = [...types].filter(isBuiltInType).filter((type) => packageOf('assertions', type) !== undefined);
  const problems = used.map(async (type) => (await assertionOfPackage(type)).problems?.(checked) ?? []);
  return (await Promise.all(problems)).flat();
}
