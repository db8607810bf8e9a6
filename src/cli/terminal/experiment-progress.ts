import type { ExperimentEvent } from '../../arena/experiment/run-experiment.ts';
import { gameCost } from '../../arena/game/game-document.ts';
import { formatPercent } from '../../report/terminal/format.ts';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import type { Terminal } from './terminal.ts';
import { createWorkProgress } from './work-progress.ts';

/** Plays games with live progress on the terminal. */
export async function withExperimentProgress<T>(
  terminal: Terminal,
  play: (
    options: Pick<Terminal, 'cwd' | 'env' | 'stop' | 'abort'> & { onEvent: (event: ExperimentEvent) => void },
  ) => Promise<T>,
): Promise<T> {
  const { cwd, env, stop, abort } = terminal;
  const progress = createWorkProgress(
    terminal,
    'Finishing the games under way. Ctrl-C again gives them up; --resume plays what is missing.',
  );
  const { state } = progress;
  let found = 0;
  let planted = 0;
  let current = '';
  const onEvent = (event: ExperimentEvent): void => {
    switch (event.type) {
      case 'experiment_started':
        progress.start(event.experiment.games_planned, event.earlier);
        state.costUsd = event.spentUsd;
        break;
      case 'game_started':
        state.running += 1;
        current = `${event.cell.blue} on ${event.cell.task}`;
        break;
      case 'game_dropped':
        state.running -= 1;
        break;
      case 'game_finished': {
        const { status, scores } = event.game;
        state.running -= 1;
        state.done += 1;
        // A game neither passes nor fails: only games without a score are counted apart.
        if (status === 'failed') state.unscored += 1;
        found += scores?.true_positives ?? 0;
        planted += scores?.vulnerabilities.length ?? 0;
        state.costUsd = sumOrUnknown([state.costUsd, gameCost(event.game).usd]);
      }
    }
    const recall = planted === 0 ? '' : `recall ${formatPercent(found / planted)}  `;
    state.current = `${recall}${current}`;
    progress.show();
  };
  try {
    return await play({ cwd, env, stop, abort, onEvent });
  } finally {
    progress.finish();
  }
}
