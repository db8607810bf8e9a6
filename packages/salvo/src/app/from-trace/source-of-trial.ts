import { namedCases } from '../../evaluators/assertion-ids.ts';
import type { RunRecord, StoredTrial } from '../../run/record/run-record.ts';
import type { SourceTrace } from '../../scenario/from-trace/source-trace.ts';
import type { Assertion } from '../../scenario/schema/assertion-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { isMetadataOnly } from '../../trace/not-recorded.ts';

/** These need nothing but the trace, so that another scenario can have them. */
const BY_TRACE: ReadonlySet<string> = new Set([
  ...['jmespath', 'tool_called', 'tool_not_called', 'tool_sequence'],
  ...['output_contains', 'output_not_contains', 'output_matches', 'output_not_matches', 'output_json'],
  ...['output_contains_any', 'output_equals', 'output_not_equals', 'output_starts_with', 'output_not_starts_with'],
  ...['output_length', 'is_refusal', 'is_not_refusal'],
]);

/** A stored trace with its trial, if that was stored as well. */
export async function sourceOfTrial(
  store: Store,
  { traceId, run, trial }: { traceId: string; run: RunRecord | null; trial: StoredTrial | null },
): Promise<SourceTrace & { status: string | null }> {
  const trace = await store.getTrace(traceId);
  if (!trace) throw new SalvoError('TRACE_UNKNOWN', `There is no trace ${traceId}.`);
  if (isMetadataOnly(trace)) {
    throw new SalvoError(
      'TRACE_TEXT_MISSING',
      `The trace ${traceId} was recorded without its texts (\`recording: { mode: metadata_only }\` in salvo.yaml): no scenario can be made of it.`,
    );
  }
  const entry = run?.scenarios[trial?.scenario_index ?? 0];
  if (!run || !trial || !entry) {
    return {
      trace,
      scenario: null,
      origin: `trace ${traceId}`,
      name: `trace-${traceId.slice(0, 8)}`,
      failed: [],
      status: null,
    };
  }
  const scenario = scenarioOfTrial(entry.scenario, trial.case_index);
  const place = trial.case === null ? entry.name : `${entry.name}/${trial.case}`;
  return {
    trace,
    scenario,
    origin: `trial ${trial.trial_number} of ${place} in run ${run.run_id}`,
    name: `${place.replaceAll('/', ' ')} trial ${trial.trial_number}`,
    failed: scenario ? failedAssertions(scenario, trial) : [],
    status: trial.result?.status ?? null,
  };
}

/** Null if its row no longer fits, as one whose secrets were masked. */
function scenarioOfTrial(scenario: Scenario, caseIndex: number): Scenario | null {
  try {
    return namedCases(scenario).scenarioOf(caseIndex);
  } catch {
    return null;
  }
}

function failedAssertions({ assertions }: Scenario, { result }: StoredTrial): Assertion[] {
  const failed = new Set(
    (result?.eval_results ?? []).flatMap(({ status, passed, assertion_id }) =>
      status === 'scored' && !passed ? [assertion_id] : [],
    ),
  );
  return assertions.flatMap((assertion) => {
    if (!BY_TRACE.has(assertion.type) || !failed.has(assertion.id ?? '')) return [];
    const { id: _, weight, required, ...rest } = assertion;
    const written = { ...rest, ...(weight !== 1 && { weight }), ...(required && { required }) };
    return [Object.assign(written, { type: assertion.type }) as Assertion];
  });
}
