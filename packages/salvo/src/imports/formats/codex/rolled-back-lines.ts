import { amountOf } from '../record-fields.ts';
import type { RolloutLine } from './rollout-line.ts';

interface RolledBack {
  lines: ReadonlySet<RolloutLine>;
  turns: number;
}

/** What begins a turn or tells about the session, and what its tokens were, stays. */
const OF_TURN: ReadonlySet<string> = new Set(['response_item', 'compacted']);

/** The lines of turns that the user took back. Their tokens were used all the same. */
export function rolledBackLines(lines: readonly RolloutLine[], isWritten: (line: RolloutLine) => boolean): RolledBack {
  const left = new Set<RolloutLine>();
  const kept: RolloutLine[] = [];
  /** Where among the kept lines the turns begin. */
  const begins: number[] = [];
  let turns = 0;
  for (const line of lines) {
    if (isWritten(line)) begins.push(kept.length);
    if (OF_TURN.has(line.type)) kept.push(line);
    if (line.type !== 'event_msg' || line.payload.type !== 'thread_rolled_back') continue;
    const count = Math.min(Math.trunc(amountOf(line.payload.num_turns) ?? 0), begins.length);
    if (count <= 0) continue;
    turns += count;
    const [first = kept.length] = begins.splice(begins.length - count);
    for (const taken of kept.splice(first)) left.add(taken);
  }
  return { lines: left, turns };
}
