import { figure, type Look, table, toTerminal } from 'salvo/kit/report';
import { formatCount, relativeTime } from 'salvo/kit/stats';
import type { ExperimentRecord } from '../../experiment/experiment-record.ts';

/** Stored experiments, newest first. */
export function renderExperimentList(
  experiments: readonly ExperimentRecord[],
  { now, ...look }: Look & { now: number },
): string {
  if (experiments.length === 0) return 'No experiment is stored yet: salvo experiment FILE.yaml plays one.\n';
  const list = table(experiments, [
    { header: 'Experiment', priority: 5, cell: ({ experiment_id }) => experiment_id },
    { header: 'When', priority: 2, cell: ({ created_at }) => relativeTime(created_at, now) },
    { header: 'Status', priority: 3, cell: ({ status }) => status },
    figure('Games', 1, ({ games_planned }) => formatCount(games_planned)),
    { header: 'Name', priority: 4, min: 10, cell: ({ name }) => name },
  ]);
  return toTerminal([list], look);
}
