import { type Column, joinBlocks, type Look, renderFor, renderTable } from 'salvo/kit/report';
import { formatCount, relativeTime } from 'salvo/kit/stats';
import { safeLine } from 'salvo/kit/text';
import type { ExperimentRecord } from '../../experiment/experiment-record.ts';

const COLUMNS: readonly Column<'id' | 'when' | 'status' | 'games' | 'name'>[] = [
  { key: 'id', header: 'Experiment', priority: 5 },
  { key: 'when', header: 'When', priority: 2 },
  { key: 'status', header: 'Status', priority: 3 },
  { key: 'games', header: 'Games', align: 'right', priority: 1 },
  { key: 'name', header: 'Name', priority: 4, min: 10 },
];

/** Stored experiments, newest first. */
export function renderExperimentList(
  experiments: readonly ExperimentRecord[],
  { now, ...look }: Look & { now: number },
): string {
  if (experiments.length === 0) return 'No experiment is stored yet: salvo experiment FILE.yaml plays one.\n';
  const rows = experiments.map(({ experiment_id, created_at, status, games_planned, name }) => ({
    id: { text: experiment_id },
    when: { text: relativeTime(created_at, now) },
    status: { text: status },
    games: { text: formatCount(games_planned) },
    name: { text: safeLine(name, 200) },
  }));
  return renderFor(look, ({ width, style }) =>
    joinBlocks([renderTable({ columns: COLUMNS, rows, width, style }).lines]),
  );
}
