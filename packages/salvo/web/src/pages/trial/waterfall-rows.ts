import type { TraceHead } from '../../../../src/app/view/trial/trial-view.ts';

export interface WaterfallRow {
  key: string;
  name: string;
  turn: number;
  /** Null for a step. */
  start: number | null;
  seconds: number | null;
  input: number | null;
  output: number | null;
  /** The agent was asked, and the trial ended before it answered. */
  isUnanswered: boolean;
}

/** A row for each turn, and rows for the steps of a turn that has several. */
export function waterfallRows({
  turns = [],
  turn_count,
  steps,
}: Pick<TraceHead, 'turns' | 'turn_count' | 'steps'>): WaterfallRow[] {
  return turns.flatMap(({ turn, started_seconds, latency_seconds, input_tokens, output_tokens }, index) => {
    // The last turn of the same answer.
    const last = Math.max(turn, (turns[index + 1]?.turn ?? turn_count + 1) - 1);
    const whole: WaterfallRow = {
      key: `turn ${turn} ${started_seconds}`,
      name: last > turn ? `${turn}–${last}` : String(turn),
      turn,
      start: started_seconds,
      seconds: latency_seconds,
      input: input_tokens,
      output: output_tokens,
      isUnanswered: turn > turn_count,
    };
    return last > turn
      ? [whole, ...steps.filter((step) => step.turn >= turn && step.turn <= last).map(stepRow)]
      : whole;
  });
}

function stepRow({
  turn,
  agent,
  latency_seconds,
  input_tokens,
  output_tokens,
}: TraceHead['steps'][number]): WaterfallRow {
  return {
    key: `step ${turn}`,
    name: agent === null ? `step ${turn}` : `step ${turn}, ${agent}`,
    turn,
    start: null,
    seconds: latency_seconds,
    input: input_tokens,
    output: output_tokens,
    isUnanswered: false,
  };
}
