import { addCosts, type JudgingEvent } from '../../judge/canaries/judging-event.ts';
import { createProgress } from '../../report/terminal/progress.ts';
import { isDumb } from './print-result.ts';
import type { Terminal } from './terminal.ts';

export interface JudgeProgress {
  onEvent(event: JudgingEvent): void;
  finish(): void;
}

/** Shows how far a judge has come, and says what Ctrl-C does when it is pressed. */
export function createJudgeProgress({ total, terminal }: { total: number; terminal: Terminal }): JudgeProgress {
  const state = { done: 0, passed: 0, failed: 0, unscored: 0, running: 0, retries: 0 };
  let judgeCostUsd: number | null = 0;
  let current: string | undefined;
  const display = createProgress({
    output: terminal.stderr,
    total,
    now: () => performance.now(),
    ascii: isDumb(terminal.env),
  });
  const onStop = (): void => display.note('Finishing what is being judged. Ctrl-C again gives it up.');
  terminal.stop.addEventListener('abort', onStop);
  return {
    onEvent(event) {
      if (event.type === 'item_started') {
        state.running += 1;
        current = event.name;
      } else {
        state.running -= 1;
      }
      if (event.type === 'item_finished') {
        state.done += 1;
        state[event.passed === null ? 'unscored' : event.passed ? 'passed' : 'failed'] += 1;
        judgeCostUsd = addCosts(judgeCostUsd, event.costUsd);
      }
      display.update({ ...state, costUsd: 0, judgeCostUsd, current });
    },
    finish() {
      terminal.stop.removeEventListener('abort', onStop);
      display.finish();
    },
  };
}
