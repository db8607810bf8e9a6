import { evaluateTrace } from '../../evaluators/evaluate-trace.ts';
import { scenarioCases } from '../../scenario/cases/scenario-cases.ts';
import type { Proposal } from '../../scenario/from-trace/source-trace.ts';
import { type WrittenScenario, withAssertions } from '../../scenario/from-trace/written-scenario.ts';
import { scenarioFromObject } from '../../scenario/scenario-object.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { canonicalJson } from '../../text/json/canonical-json.ts';
import type { Trace } from '../../trace/trace.ts';

interface Checked {
  scenario: WrittenScenario;
  /** In the order of the rows. */
  traces: readonly Trace[];
  /** Where the scenario will be. */
  file: string;
  project: Project;
}

/** Of some assertions those that all traces pass, or that all of them fail. What cannot be scored is neither. */
export async function checkedProposals(
  proposals: readonly Proposal[],
  verdict: 'passed' | 'failed',
  checked: Checked,
): Promise<Proposal[]> {
  const distinct = [
    ...new Map(proposals.toReversed().map((each) => [canonicalJson(each.assertion), each])).values(),
  ].toReversed();
  const valid = isValid(distinct, checked) ? distinct : distinct.filter((each) => isValid([each], checked));
  const loaded = loadedScenario(withAssertions(checked.scenario, valid), checked);
  const cases = scenarioCases(loaded);
  const results = await Promise.all(
    checked.traces.map((trace, index) => evaluateTrace({ scenario: cases.scenarioOf(index), trace })),
  );
  const holds = (position: number): boolean =>
    results.every((ofTrace) => {
      const result = ofTrace[position];
      return result?.status === 'scored' && result.passed === (verdict === 'passed');
    });
  return valid.filter((_, position) => holds(position));
}

function isValid(proposals: readonly Proposal[], checked: Checked): boolean {
  try {
    loadedScenario(withAssertions(checked.scenario, proposals), checked);
    return true;
  } catch (error) {
    if (error instanceof SalvoError && error.code === 'OBJECT_INVALID') return false;
    throw error;
  }
}

/** The scenario as a run would load it, whatever its agent is. Throws if it is not valid. */
export function loadedScenario(
  scenario: WrittenScenario,
  { file, project }: Pick<Checked, 'file' | 'project'>,
): Scenario {
  return scenarioFromObject(scenario, { project, file, agent: 'agent' }).scenario;
}
