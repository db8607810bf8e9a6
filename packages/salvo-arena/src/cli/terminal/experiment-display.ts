import type { WorkDisplay } from 'salvo/kit/cli';
import type { ExperimentGames } from '../../app/experiments/experiment-performer.ts';
import { createExperimentProgress } from './experiment-progress.ts';
import { writeExperiment } from './write-experiment.ts';

/** How `salvo attach` shows an experiment. */
export const experimentDisplay: WorkDisplay<ExperimentGames['event'], ExperimentGames['ended']> = {
  kind: 'experiment',
  progress: createExperimentProgress,
  write: (opened, { targets, terminal }) => writeExperiment({ opened, targets, terminal }),
};
