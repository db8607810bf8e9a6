import type { Terminal } from 'salvo/kit/cli';
import { createWorkProgress, type EventDisplay, type ProgressSettings } from 'salvo/kit/progress';
import { formatPercent, sumCosts } from 'salvo/kit/stats';
import { safeLine } from 'salvo/kit/text';
import type { ExperimentEvent } from '../../experiment/conduct-experiment.ts';
import { gameCost } from '../../game/game-cost.ts';

/** Shows the games of an experiment as they end. */
export function createExperimentProgress(
  terminal: Terminal,
  settings: ProgressSettings,
): EventDisplay<ExperimentEvent> {
  const progress = createWorkProgress(terminal, {
    ...settings,
    stopNote: 'Finishing the games under way. Ctrl-C again gives them up; --resume plays what is missing.',
  });
  const { state } = progress;
  let found = 0;
  let planted = 0;
  let recall = '';
  const onEvent = (event: ExperimentEvent): void => {
    switch (event.type) {
      case 'experiment_started':
        progress.start(event.experiment.games_planned, event.earlier);
        state.cost = { usd: event.spentUsd };
        break;
      case 'game_started':
        progress.begin(cellName(event.cell));
        break;
      case 'game_dropped':
        progress.end(cellName(event.cell));
        break;
      case 'game_finished': {
        const { status, scores, error } = event.game;
        progress.end(cellName(event.cell));
        state.done += 1;
        // A game neither passes nor fails: only games without a score are counted apart.
        if (status === 'failed') {
          state.unscored += 1;
          progress.failure(`? ${safeLine(cellName(event.cell))}: not scored: ${safeLine(error ?? '', 600)}`);
        }
        found += scores?.true_positives ?? 0;
        planted += scores?.vulnerabilities.length ?? 0;
        state.cost = sumCosts([state.cost, gameCost(event.game)]);
        break;
      }
      default:
        progress.onWorkEvent(event);
    }
    const shown = state.current ?? '';
    const names = shown.startsWith(recall) ? shown.slice(recall.length) : shown;
    recall = planted === 0 ? '' : `recall ${formatPercent(found / planted)}  `;
    if (event.type !== 'experiment_started') state.current = `${recall}${names}`;
    progress.show();
  };
  return { onEvent, finish: progress.finish };
}

function cellName({ blue, task }: { blue: string; task: string }): string {
  return `${blue} on ${task}`;
}
