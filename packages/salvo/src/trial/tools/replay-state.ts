import type { ReplayedState } from '../../evaluators/evaluator.ts';
import { stateHash } from '../../scenario/scenario-identity.ts';
import { list } from '../../text/words/value-words.ts';
import { reportedCalls } from '../../trace/tools-seen.ts';
import type { ToolCallRecord, Trace } from '../../trace/trace.ts';
import { hasRedactedArguments, isRedacted, type Player, playCalls } from './play-calls.ts';
import { withReported } from './reported-calls.ts';
import type { ToolOutcome } from './tool-source.ts';

/**
 * A stored trace with the state that its calls lead to today, played into a fresh document. If a tool answers otherwise
 * than it did in the trial, the changes that were stored hold, and the tool is named.
 */
export async function replayState(trace: Trace, player: Player): Promise<{ trace: Trace; replayed: ReplayedState }> {
  const { state } = player.scenario;
  if (state === undefined || trace.error !== null) return { trace, replayed: {} };
  const hasReported = reportedCalls(trace, player.scenario.tools).length > 0;
  if (hasReported) return { trace: await withReported(trace, player), replayed: {} };
  // A call that a fault kept from its tool changed nothing.
  const calls = trace.tool_calls_made.filter(({ seen, fault }) => seen === 'observed' && fault?.tool !== 'not_called');
  const isSameState = trace.state?.sha256 === stateHash(state);
  const orStored = (reason: string, tools: string[] = []): { trace: Trace; replayed: ReplayedState } =>
    isSameState
      ? { trace, replayed: { note: `${reason}, so the changes count that were stored with the trial`, tools } }
      : { trace, replayed: { problem: `${reason}, and the trial did not begin with this state document` } };
  if (calls.some(hasRedactedArguments)) return orStored('secrets were removed from stored calls');
  const played = await playCalls(calls, player);
  const other = calls.filter((call, index) => isOtherAnswer(call, played.outcomes[index] ?? null));
  const changing = namesOf(other.filter(({ effect }) => effect !== 'read'));
  if (changing.length > 0) {
    const them = changing.length === 1 ? 'it is not deterministic, or has' : 'they are not deterministic, or have';
    return orStored(`${quoted(changing)} answered otherwise when played again (${them} changed)`, changing);
  }
  const reading = namesOf(other);
  const note = reading.length > 0 ? `${quoted(reading)} answered otherwise when played again` : undefined;
  return { trace: { ...trace, state: played.state }, replayed: note === undefined ? {} : { note, tools: reading } };
}

/** A stored answer lacks secrets, names the files of a mock, and is not the tool's own if the call had a fault. */
function isOtherAnswer({ result, is_error, fault }: ToolCallRecord, outcome: ToolOutcome | null): boolean {
  if (fault || !outcome || outcome.files || result === null || isRedacted(result)) return false;
  return outcome.content !== result || outcome.is_error !== is_error;
}

function quoted(names: string[]): string {
  return list(
    names.map((name) => `"${name}"`),
    'and',
  );
}

function namesOf(calls: readonly ToolCallRecord[]): string[] {
  return [...new Set(calls.map(({ name }) => name))];
}
