import { showValue } from '../../evaluators/show-value.ts';
import { stateHash } from '../../scenario/scenario-identity.ts';
import { errorMessage } from '../../text/errors/salvo-error.ts';
import { changesBetween } from '../../text/json/json-changes.ts';
import { sameTool } from '../../trace/agent-call.ts';
import { reportedCalls } from '../../trace/tools-seen.ts';
import type { ToolCallRecord, Trace } from '../../trace/trace.ts';
import { hasRedactedArguments, isRedacted, type Player, playCalls } from './play-calls.ts';
import type { ToolOutcome } from './tool-source.ts';

type Reported = NonNullable<NonNullable<Trace['state']>['reported']>;

/** The trace with the state that its calls lead to, if the agent reports calls that Salvo did not answer. */
export async function withReported(trace: Trace, player: Player): Promise<Trace> {
  if (trace.error !== null || reportedCalls(trace, player.scenario.tools).length === 0) return trace;
  return playReported(trace, player);
}

/**
 * The trace of an agent that executed tools of the scenario itself, or returned a conversation of an earlier time. Its calls
 * are played into a fresh state. If the scenario's tools answer as recorded, the state that they lead to is that of the trial.
 */
async function playReported(trace: Trace, player: Player): Promise<Trace> {
  const { tools, state = {} } = player.scenario;
  const sha256 = stateHash(state);
  const unknown = (difference: string): Trace => ({
    ...trace,
    state: { sha256, changes: trace.state?.changes ?? [], reported: { agree: 'none', difference } },
  });
  const reported = new Set(reportedCalls(trace, tools));
  const calls = trace.tool_calls_made.filter(
    (call) => call.fault?.tool !== 'not_called' && (call.seen === 'observed' || reported.has(call)),
  );
  if (calls.some(hasRedactedArguments)) {
    const isKnown = trace.state?.reported && trace.state.sha256 === sha256;
    return isKnown ? trace : unknown('secrets were removed from its calls, which can therefore not be played');
  }
  const nameOf = ({ name }: ToolCallRecord) => tools.find((tool) => sameTool(tool.name, name))?.name ?? name;
  try {
    const planned = calls.map((call) => ({ name: nameOf(call), arguments: call.arguments }));
    const played = await playCalls(planned, player);
    const agreement = agreementOf(calls, played.outcomes, player);
    if (agreement.agree === 'none') return unknown(agreement.difference ?? '');
    return { ...trace, state: { ...played.state, reported: agreement } };
  } catch (error) {
    if (player.abort?.aborted) throw error;
    return unknown(`its calls could not be played: ${errorMessage(error)}`);
  }
}

/** The first call that changes something counts more than the first that only reads. */
function agreementOf(
  calls: readonly ToolCallRecord[],
  outcomes: readonly (ToolOutcome | null)[],
  { tools }: Player,
): Reported {
  let reading: string | undefined;
  for (const [index, call] of calls.entries()) {
    const problem = differenceOf(call, outcomes[index] ?? null);
    if (problem === null) continue;
    const difference = `call ${index + 1} (${call.name}) ${problem}`;
    if (tools.markReported(call).effect !== 'read') return { agree: 'none', difference };
    reading ??= difference;
  }
  return reading === undefined ? { agree: 'all' } : { agree: 'writes', difference: reading };
}

/** How a recorded answer differs from the one that was played; null if they agree. */
function differenceOf({ result, is_error, fault }: ToolCallRecord, outcome: ToolOutcome | null): string | null {
  if (fault) return null;
  if (!outcome) return 'cannot be played: its tool does not use the state';
  if (result === null) return 'has no recorded answer';
  if (outcome.files || isRedacted(result)) return null;
  const { content } = outcome;
  if (content.trim() === result.trim()) return null;
  if (outcome.is_error) return isSameError({ result, is_error }, outcome) ? null : otherAnswer(result, content);
  const [recorded, played] = [asJson(result), asJson(content)];
  if (!recorded || !played) return otherAnswer(result, content);
  const [first] = changesBetween(recorded.value, played.value);
  if (!first) return null;
  const place = first.path === '' ? '' : `${first.path}: `;
  return `was answered with ${place}${showValue(first.before)}, and the tool of the scenario answers ${showValue(first.after)}`;
}

function otherAnswer(recorded: string, played: string): string {
  return `was answered with ${showValue(recorded)}, and the tool of the scenario answers ${showValue(played)}`;
}

/** Frameworks put words before the text of an error, such as `Error: `, and not all of them mark it as one. */
function isSameError(
  recorded: { result: string; is_error: boolean },
  { content, problem }: Pick<ToolOutcome, 'content' | 'problem'>,
): boolean {
  const [text, played] = [recorded.result.trim().toLowerCase(), content.trim().toLowerCase()];
  const isError = recorded.is_error || text.startsWith('error');
  if (isError && problem?.kind === 'invalid_arguments') return true;
  return (played !== '' && text.includes(played)) || (isError && text !== '' && played.includes(text));
}

/** Keys in any order, 25 as 25.0, and null as a missing key: serializers write either. Null if the text is no JSON. */
function asJson(text: string): { value: unknown } | null {
  try {
    const value: unknown = JSON.parse(text, function (this: unknown, _key, part: unknown) {
      return part === null && !Array.isArray(this) ? undefined : part;
    });
    return { value };
  } catch {
    return null;
  }
}
