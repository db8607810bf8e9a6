import { namedFailure } from '../../../evaluators/eval-result.ts';
import type { ScenarioSummary } from '../../../run/record/run-document.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import { workflowCommand } from '../../../text/output/workflow-command.ts';
import { type AgainstCase, againstCases } from '../../compare/against-words.ts';
import { neverPassedLine } from '../never-passed.ts';
import type { RunReport } from '../run-report.ts';
import { isCounted, isGreen, verdictReason } from '../verdict.ts';
import { replayCommand } from '../words/replay-command.ts';
import { scenarioHandles, scenarioTitles } from '../words/scenario-handles.ts';

/** GitHub shows no more than ten errors of a step. */
const MOST_ANNOTATIONS = 10;
const MOST_CAUSES = 3;

/** Where a scenario is, for GitHub: relative to the repository. */
type PlaceOf = (scenario: Pick<ScenarioSummary, 'name' | 'file'>) => { file: string; line: number };

/**
 * An error in GitHub Actions for each scenario that did not pass, on its line: the rule that decided, then the causes. A
 * warning for each that passed although an assertion that counts never did.
 */
export function githubAnnotations(report: RunReport, placeOf: PlaceOf): string {
  const handles = scenarioHandles(report.scenarios);
  const titles = scenarioTitles(report.scenarios);
  const against = againstAnnotations(report, placeOf);
  const ofScenarios = report.scenarios
    .map((scenario, index) => ({ scenario, handle: handles[index] ?? '', title: titles[index] ?? '' }))
    .filter(
      ({ scenario }) =>
        isCounted(scenario) && (!isGreen(scenario) || scenario.never_passed.some(({ counts }) => counts)),
    )
    .toSorted((a, b) => Number(isGreen(a.scenario)) - Number(isGreen(b.scenario)))
    .slice(0, MOST_ANNOTATIONS)
    .map(({ scenario, handle, title }) => {
      const { file, line } = placeOf(scenario);
      const lines = [verdictReason(scenario), neverPassedLine(scenario) ?? ''].filter((each) => each !== '');
      return workflowCommand({
        name: isGreen(scenario) ? 'warning' : 'error',
        properties: [
          ['file', file],
          ['line', line],
          ['title', safeLine(`${title}: ${scenario.verdict.replace('_', ' ')}`)],
        ],
        message: [...lines, ...causes(scenario, { runId: report.run_id, scenario: handle })].join('\n'),
      });
    });
  return [...against.together, ...ofScenarios, ...against.single].join('');
}

/** That all scenarios together are worse is said first, because GitHub may not show what comes last. */
function againstAnnotations({ against }: RunReport, placeOf: PlaceOf): { together: string[]; single: string[] } {
  const failed = againstCases(against).filter(({ outcome }) => outcome !== null);
  const written = (cases: readonly AgainstCase[]) =>
    cases.slice(0, MOST_ANNOTATIONS).map(({ scenario, place, sentence }) => {
      const at = place && placeOf(place);
      return workflowCommand({
        name: 'error',
        properties: [
          ...(at
            ? ([
                ['file', at.file],
                ['line', at.line],
              ] as const)
            : []),
          ['title', safeLine(`${scenario}: compared with the baseline`)],
        ],
        message: safeLine(sentence),
      });
    });
  return {
    together: written(failed.filter(({ place }) => place === null)),
    single: written(failed.filter(({ place }) => place !== null)),
  };
}

function causes(scenario: ScenarioSummary, place: { runId: string; scenario: string }): string[] {
  const failures = scenario.assertion_failures.map(({ assertion_id, assertion_type, example, ...rest }) => ({
    ...rest,
    message: namedFailure({ assertion_id, assertion_type, details: example }),
  }));
  return [...failures, ...scenario.crashes, ...scenario.errors].slice(0, MOST_CAUSES).flatMap((cause) => {
    const [trialNumber] = cause.trial_numbers;
    const caseName = cause.trial_cases?.[0];
    const command = trialNumber === undefined ? [] : [replayCommand({ ...place, caseName, trialNumber })];
    return [cause.message, ...command].map((line) => safeLine(line));
  });
}
