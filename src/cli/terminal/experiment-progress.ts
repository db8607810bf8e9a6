import type { ExperimentEvent } from '../../arena/experiment/run-experiment.ts';
import { gameCost } from '../../arena/game/game-document.ts';
import { formatPercent } from '../../report/terminal/format.ts';
import { createProgress, type Progress } from '../../report/terminal/progress.ts';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import { isDumb } from './print-result.ts';
import type { Terminal } from './terminal.ts';

interface ExperimentProgress {
  onEvent(event: ExperimentEvent): void;
  finish(): void;
}

/** Plays games with live progress on the terminal. */
export async function withExperimentProgress<T>(
  terminal: Terminal,
  play: (options: Pick<Terminal, 'cwd' | 'env' | 'stop' | 'abort'> & Pick<ExperimentProgress, 'onEvent'>) => Promise<T>,
): Promise<T> {
  const { cwd, env, stop, abort } = terminal;
  const { onEvent, finish } = createExperimentProgress(terminal);
  try {
    return await play({ cwd, env, stop, abort, onEvent });
  } finally {
    finish();
  }
}

/** Shows the games of an experiment, and what Ctrl-C does when it is pressed. */
function createExperimentProgress(terminal: Terminal): ExperimentProgress {
  // A game neither passes nor fails: only failed games are counted apart.
  const state = { done: 0, passed: 0, failed: 0, unscored: 0, running: 0, retries: 0, judgeCostUsd: 0 };
  let costUsd: number | null = 0;
  let found = 0;
  let planted = 0;
  let current = '';
  let display: Progress | null = null;
  const onStop = (): void => {
    display?.note('Finishing the games under way. Ctrl-C again gives them up; --resume plays what is missing.');
  };
  terminal.stop.addEventListener('abort', onStop);
  return {
    onEvent(event) {
      switch (event.type) {
        case 'experiment_started':
          state.done = event.earlier;
          costUsd = event.spentUsd;
          display = createProgress({
            output: terminal.stderr,
            total: event.experiment.games_planned,
            done: event.earlier,
            now: () => performance.now(),
            ascii: isDumb(terminal.env),
          });
          break;
        case 'game_started':
          state.running += 1;
          current = `${event.cell.blue} on ${event.cell.task}`;
          break;
        case 'game_dropped':
          state.running -= 1;
          break;
        case 'game_finished': {
          const { usd } = gameCost(event.game);
          state.running -= 1;
          state.done += 1;
          if (event.game.status === 'failed') state.unscored += 1;
          found += event.game.scores?.true_positives ?? 0;
          planted += event.game.scores?.vulnerabilities.length ?? 0;
          costUsd = sumOrUnknown([costUsd, usd]);
        }
      }
      const recall = planted === 0 ? '' : `recall ${formatPercent(found / planted)}  `;
      display?.update({ ...state, costUsd, current: `${recall}${current}` });
    },
    finish() {
      terminal.stop.removeEventListener('abort', onStop);
      display?.finish();
    },
  };
}
