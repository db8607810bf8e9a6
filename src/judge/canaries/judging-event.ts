/** What happens while a judge is put to the test, one item after the other. */
export type JudgingEvent =
  | { type: 'item_started'; name: string }
  /** `passed` is null when the judge could not score it. */
  | { type: 'item_finished'; passed: boolean | null; costUsd: number | null }
  /** Given up: it counts as never started. */
  | { type: 'item_left' };
