import type { JudgeTestEvent } from '../../app/check-judge.ts';
import { createProgress, type Progress } from '../../report/terminal/progress.ts';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import { isDumb } from './print-result.ts';
import type { Terminal } from './terminal.ts';

export interface JudgeProgress {
  onEvent(event: JudgeTestEvent): void;
  finish(): void;
}

/** Shows how many items a judge has judged, and says what Ctrl-C does when it is pressed. */
export function createJudgeProgress(terminal: Terminal): JudgeProgress {
  const state = { done: 0, passed: 0, failed: 0, unscored: 0, running: 0, retries: 0 };
  let judgeCostUsd: number | null = 0;
  let current: string | undefined;
  let display: Progress | null = null;
  const onStop = (): void => display?.note('Finishing what is being judged. Ctrl-C again gives it up.');
  terminal.stop.addEventListener('abort', onStop);
  return {
    onEvent(event) {
      switch (event.type) {
        case 'judging_started':
          display = createProgress({
            output: terminal.stderr,
            total: event.total,
            now: () => performance.now(),
            ascii: isDumb(terminal.env),
          });
          return;
        case 'item_started':
          state.running += 1;
          current = event.name;
          break;
        case 'item_left':
          state.running -= 1;
          break;
        case 'item_finished':
          state.running -= 1;
          state.done += 1;
          state[event.passed === null ? 'unscored' : event.passed ? 'passed' : 'failed'] += 1;
          judgeCostUsd = sumOrUnknown([judgeCostUsd, event.costUsd]);
      }
      display?.update({ ...state, costUsd: 0, judgeCostUsd, current });
    },
    finish() {
      terminal.stop.removeEventListener('abort', onStop);
      display?.finish();
    },
  };
}
