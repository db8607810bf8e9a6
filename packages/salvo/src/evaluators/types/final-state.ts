import { expandOperator } from '../../scenario/checks/assertion/expand-shorthand.ts';
import { stateHash } from '../../scenario/scenario-identity.ts';
import { type AssertionOf, OPERATORS } from '../../scenario/schema/assertion-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { compileExpression } from '../../text/json/expression.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { changesBetween, copyJson, type JsonChange, withChanges } from '../../text/json/json-changes.ts';
import { reportedCalls, toolsKnown } from '../../trace/tools-seen.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Evaluation, EvaluationContext, Evaluator } from '../evaluator.ts';
import { showValue } from '../show-value.ts';
import { compareValue } from './text/operator.ts';
import { asDeclared, unseenTools } from './tools/unseen-tools.ts';

type FinalState = AssertionOf<'final_state'>;

/** Compares the state document at the end of a trial: with the state that calls lead to, with a value, or a part of it. */
export const evaluateFinalState: Evaluator<FinalState> = async (assertion, trace, context) => {
  const { scenario } = context;
  const known = toolsKnown(trace, scenario);
  if (known.seen === 'unknown' || known.agents.length > 0) return unseenTools(known);
  const actual = stateAtEnd(trace, context);
  if ('problem' in actual) return { score: null, details: actual.problem };
  const evaluation = await compare(assertion, actual.state, context);
  const { note = trace.state?.reported?.difference, tools } = context.replayed ?? {};
  const noted: Evaluation = note
    ? {
        ...evaluation,
        details: `${evaluation.details}; ${note}`,
        metadata: { ...evaluation.metadata, ...(tools && { not_deterministic: tools }) },
      }
    : evaluation;
  return known.declared ? asDeclared(noted) : noted;
};

/** The state document at the end of a trial, which must not be changed; or why it is not known. */
function stateAtEnd(
  trace: Pick<Trace, 'state' | 'tool_calls_made'>,
  { scenario, replayed }: Pick<EvaluationContext, 'scenario' | 'replayed'>,
): { state: unknown } | { problem: string } {
  if (!scenario?.state) return { problem: 'the scenario has no state' };
  const reported = trace.state?.reported;
  const own = reportedCalls(trace, scenario.tools).find(({ effect }) => effect !== 'read');
  if (own && reported?.agree !== 'all' && reported?.agree !== 'writes') {
    if (reported?.difference === undefined) {
      return { problem: `the agent executed "${own.name}" itself, so what that changed is not known` };
    }
    return { problem: `the calls that the agent reports do not lead to a known state: ${reported.difference}` };
  }
  if (replayed?.problem !== undefined) return { problem: replayed.problem };
  if (!trace.state) return { problem: 'the trial was recorded without a state' };
  if (trace.state.sha256 !== stateHash(scenario.state)) {
    return { problem: 'the state document is another one than the trial began with' };
  }
  return { state: withChanges(scenario.state, trace.state.changes) };
}

/** Adds the state at the end of the trial to what a check receives. Copied when it is read: it may have several megabytes. */
export function addFinalState<T extends object>(
  given: T,
  trace: Trace,
  context: EvaluationContext,
): T & { state: Record<string, unknown> } {
  const get = () => {
    const known = context.scenario?.state ? stateAtEnd(trace, context) : { state: {} };
    if ('problem' in known) throw new SalvoError('STATE_UNKNOWN', `The final state is not known: ${known.problem}.`);
    return isRecord(known.state) ? copyJson(known.state) : {};
  };
  return Object.defineProperty(Object.assign(given, { state: {} }), 'state', { get, enumerable: true });
}

async function compare(assertion: FinalState, state: unknown, context: EvaluationContext): Promise<Evaluation> {
  const { after, path } = assertion;
  if (after !== undefined) return compareAfter(after, state, context);
  const part = path === undefined ? state : compileExpression(path)(state);
  if (Object.hasOwn(assertion, 'equals')) {
    return ofDifferences(changesBetween(assertion.equals, part), path);
  }
  const written = OPERATORS.filter((operator) => assertion[operator] !== undefined);
  const { operator = 'exists', value } = expandedOperator(assertion, written);
  const problem = compareValue(operator, part, value);
  const demand = `${path} ${operator}${operator.endsWith('exists') ? '' : ` ${showValue(value)}`}`;
  const details = [problem, problem?.startsWith('found ') ? '' : `got ${showValue(part)}`].filter(Boolean).join('; ');
  return { score: problem === null ? 1 : 0, details: `${demand}: ${details}` };
}

/** As the shorthand of a jmespath assertion is read: `exists: false` means `not_exists`. */
function expandedOperator(assertion: FinalState, written: readonly (typeof OPERATORS)[number][]) {
  const { operator, value } = expandOperator(Object.fromEntries(written.map((each) => [each, assertion[each]])));
  return { operator: OPERATORS.find((each) => each === operator), value };
}

async function compareAfter(
  after: NonNullable<FinalState['after']>,
  state: unknown,
  { scenario, playCalls }: EvaluationContext,
): Promise<Evaluation> {
  if (!playCalls) {
    return { score: null, details: 'the tools of the scenario are not at hand, so `after` cannot be played' };
  }
  const calls = after.flatMap((call) => Object.entries(call).map(([name, args]) => ({ name, arguments: args })));
  const { changes, failures } = await playCalls(calls);
  const unknown = failures.find(({ isUnknown }) => isUnknown);
  if (unknown) return { score: null, details: `call ${unknown.call} of "after": ${unknown.message}` };
  const differences = changesBetween(withChanges(scenario?.state, changes), state);
  const evaluation = ofDifferences(differences);
  const failed = failures.map(({ call, name, message }) => `call ${call} of "after" (${name}) failed: ${message}`);
  return { ...evaluation, details: [evaluation.details, ...failed].join('; ') };
}

const MOST_SHOWN = 5;

/** `before` of a difference is what was expected; `part` is the expression of the part that was compared. */
function ofDifferences(differences: readonly JsonChange[], part = ''): Evaluation {
  const what = part === '' ? 'the final state' : part;
  if (differences.length === 0) return { score: 1, details: `${what} is as expected` };
  const shown = differences.slice(0, MOST_SHOWN).map((difference) => {
    const at = difference.path === '' ? what : `${part}${difference.path}`;
    if (!Object.hasOwn(difference, 'before')) return `${at} should not be there: ${showValue(difference.after)}`;
    if (!Object.hasOwn(difference, 'after')) return `${at} is missing: expected ${showValue(difference.before)}`;
    return `${at} is ${showJson(difference.after)}, expected ${showJson(difference.before)}`;
  });
  const more = differences.length - shown.length;
  const count = differences.length === 1 ? 'one difference' : `${differences.length} differences`;
  const rest = more > 0 ? [`and ${more} more`] : [];
  return {
    score: 0,
    details: `${count}: ${[...shown, ...rest].join('; ')}`,
    metadata: { differences: differences.length },
  };
}

/** Unlike a missing value, null is one. */
function showJson(value: unknown): string {
  return value === null ? 'null' : isRecord(value) || Array.isArray(value) ? showValue(value, 200) : showValue(value);
}
