import { assertionIds, namedCases } from '../../../evaluators/assertion-ids.ts';
import type { EvalResult } from '../../../evaluators/eval-result.ts';
import type { CalibrationRecord } from '../../../judge/calibration/calibration-record.ts';
import { type ScenarioCases, scenarioCases } from '../../../scenario/cases/scenario-cases.ts';
import type { Assertion } from '../../../scenario/schema/assertion-schema.ts';
import type { Scenario } from '../../../scenario/schema/scenario-schema.ts';
import type { Trace } from '../../../trace/trace.ts';
import { type JudgementView, judgementView } from '../judges/judgement-view.ts';
import { citedPlaces } from './cited-places.ts';
import { demandText } from './demand-text.ts';
import { prettyJson } from './pretty-json.ts';
import { assertionPlaces, type TracePlace } from './trace-places.ts';

/** An assertion of a trial: what it demands, what it found, and where. */
export interface AssertionView {
  id: string;
  /** The id with the values of the row: `output_contains:"late"` for `output_contains:"{{status}}"`. */
  name: string;
  type: string;
  /** `not_evaluated`: the trial ended before. */
  status: 'passed' | 'failed' | 'unscored' | 'not_evaluated';
  /** Null if it was not scored. */
  score: number | null;
  weight: number;
  required: boolean;
  /** In words; null if its type comes from a plugin. */
  expected: string | null;
  found: string | null;
  /** As in the file, with the values of the row, as JSON; null if the scenario does not have it. */
  definition: string | null;
  places: TracePlace[];
  judgement: JudgementView | null;
}

interface AssertedTrial {
  scenario: Scenario;
  caseIndex: number;
  results: readonly EvalResult[];
  trace: Trace | null;
  calibrations: readonly CalibrationRecord[];
}

/** In the order of the file; results of assertions that the scenario does not have come last. */
export function assertionViews({ scenario, caseIndex, results, trace, calibrations }: AssertedTrial): AssertionView[] {
  const calibrationOf = (hash: string) => calibrations.find(({ judge_hash }) => judge_hash === hash);
  // Ids are made from the templates, so that an assertion has the same one in all cases.
  const ids = scenarioOfCase(namedCases(scenario), scenario, caseIndex).assertions.map(({ id }) => id);
  const caseScenario = scenarioOfCase(scenarioCases(scenario), scenario, caseIndex);
  const ofCase = caseScenario.assertions;
  const names = assertionIds(ofCase);
  const demanded = ofCase.map((assertion, index) => ({
    id: ids[index] ?? assertion.type,
    name: names[index] ?? assertion.type,
    assertion,
  }));
  const views = demanded.map(({ id, name, assertion }) => {
    const result = results.find(({ assertion_id }) => assertion_id === id);
    const judgement = result ? judgementView(result, calibrationOf) : null;
    return {
      ...resultFields(result),
      ...{ id, name, type: assertion.type, weight: assertion.weight, required: assertion.required },
      expected: demandText(assertion),
      definition: prettyJson(assertion),
      places: trace && result ? placesIn({ trace, assertion, scenario: caseScenario }, judgement) : [],
      judgement,
    };
  });
  const others = results.filter(({ assertion_id }) => !demanded.some(({ id }) => id === assertion_id));
  return [
    ...views,
    ...others.map((result) => ({
      ...resultFields(result),
      ...{ id: result.assertion_id, name: result.assertion_id, type: result.assertion_type },
      ...{ weight: result.weight, required: result.required },
      ...{ expected: null, definition: null, places: [] },
      judgement: judgementView(result, calibrationOf),
    })),
  ];
}

function resultFields(result: EvalResult | undefined): Pick<AssertionView, 'status' | 'score' | 'found'> {
  if (!result) return { status: 'not_evaluated', score: null, found: null };
  const { error } = result.metadata;
  if (result.status === 'unscored') {
    const found = typeof error === 'string' ? `${result.details}: ${error}` : result.details;
    return { status: 'unscored', score: null, found };
  }
  return { status: result.passed ? 'passed' : 'failed', score: result.score, found: result.details };
}

function placesIn(
  { trace, assertion, scenario }: { trace: Trace; assertion: Assertion; scenario: Scenario },
  judgement: JudgementView | null,
): TracePlace[] {
  const reasonings = judgement?.votes.flatMap(({ reasons }) => reasons.map(({ reasoning }) => reasoning)) ?? [];
  return [...assertionPlaces(assertion, trace, scenario), ...citedPlaces(reasonings, trace)];
}

/** A row whose values do not fit gives no scenario: the trial was not scored then, and its result says why. */
function scenarioOfCase(cases: ScenarioCases, scenario: Scenario, caseIndex: number): Scenario {
  try {
    return cases.scenarioOf(caseIndex);
  } catch {
    return scenario;
  }
}
