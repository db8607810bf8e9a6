import { createProgress, type Progress } from '../../report/terminal/progress.ts';
import { isDumb } from './print-result.ts';
import type { Terminal } from './terminal.ts';

type ProgressState = Parameters<Progress['update']>[0];

interface WorkProgress {
  /** What the display shows. Change it, then call `show`. */
  state: ProgressState;
  /** Opens the display. `done` items were finished by an earlier process. */
  start(total: number, done?: number): void;
  show(): void;
  finish(): void;
}

/** Live progress of trials, games or judgements. `stopNote` says what Ctrl-C does, when it is pressed. */
export function createWorkProgress({ stderr, env, stop }: Terminal, stopNote: string): WorkProgress {
  const state: ProgressState = {
    done: 0,
    passed: 0,
    failed: 0,
    unscored: 0,
    running: 0,
    retries: 0,
    costUsd: 0,
    judgeCostUsd: 0,
  };
  let display: Progress | null = null;
  const onStop = (): void => display?.note(stopNote);
  stop.addEventListener('abort', onStop);
  return {
    state,
    start(total, done = 0) {
      state.done = done;
      display = createProgress({ output: stderr, total, done, now: () => performance.now(), ascii: isDumb(env) });
    },
    show: () => display?.update({ ...state }),
    finish() {
      stop.removeEventListener('abort', onStop);
      display?.finish();
    },
  };
}
