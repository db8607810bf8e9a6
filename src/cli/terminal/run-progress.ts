import { createProgress, type Progress } from '../../report/terminal/progress.ts';
import type { RunRecord } from '../../run/run-record.ts';
import type { RunEvent } from '../../run/run-scenarios.ts';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import { isDumb } from './print-result.ts';
import type { Terminal } from './terminal.ts';

export interface RunProgress {
  onEvent(event: RunEvent): void;
  finish(): void;
}

/** Shows the events of a run as live progress, and says what Ctrl-C does when it is pressed. */
export function createRunProgress({ run, terminal }: { run: RunRecord; terminal: Terminal }): RunProgress {
  const state = { done: 0, passed: 0, failed: 0, unscored: 0, running: 0, retries: 0 };
  let costUsd: number | null = 0;
  let judgeCostUsd: number | null = 0;
  let current: string | undefined;
  let display: Progress | null = null;

  const start = (earlierTrials: number): Progress => {
    state.done = earlierTrials;
    return createProgress({
      output: terminal.stderr,
      total: run.scenarios.length * run.options.trials,
      done: earlierTrials,
      now: () => performance.now(),
      ascii: isDumb(terminal.env),
    });
  };
  const onStop = (): void => {
    display?.note('Finishing the trials under way. Ctrl-C again gives them up; --resume runs what is missing.');
  };
  terminal.stop.addEventListener('abort', onStop);

  return {
    onEvent(event) {
      switch (event.type) {
        case 'run_started':
          display = start(event.earlierTrials);
          break;
        case 'trial_started':
          state.running += 1;
          current = run.scenarios[event.scenario]?.name;
          break;
        case 'trial_ended':
          state.running -= 1;
          break;
        case 'retry':
          state.retries += 1;
          break;
        case 'trial_finished': {
          const { status, cost_usd, judge_cost_usd } = event.result;
          state.done += 1;
          if (status === 'passed') state.passed += 1;
          else if (status === 'unscored') state.unscored += 1;
          else state.failed += 1;
          costUsd = sumOrUnknown([costUsd, cost_usd]);
          judgeCostUsd = sumOrUnknown([judgeCostUsd, judge_cost_usd]);
        }
      }
      display?.update({ ...state, costUsd, judgeCostUsd, current });
    },
    finish() {
      terminal.stop.removeEventListener('abort', onStop);
      display?.finish();
    },
  };
}
