import type { ExperimentRecord } from '../../arena/experiment/experiment-record.ts';
import { safeLine } from '../../text/safe-text.ts';
import { plainSigns } from '../terminal/ascii.ts';
import { formatCount } from '../terminal/format.ts';
import { relativeTime } from '../terminal/relative-time.ts';
import { createStyle } from '../terminal/style.ts';
import { type Column, renderTable } from '../terminal/table.ts';

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
  options: { width: number; color: boolean; now: number; ascii?: boolean | undefined },
): string {
  if (experiments.length === 0) return 'No experiment is stored yet: salvo experiment FILE.yaml plays one.\n';
  const rows = experiments.map(({ experiment_id, created_at, status, games_planned, name }) => ({
    id: { text: experiment_id },
    when: { text: relativeTime(created_at, options.now) },
    status: { text: status },
    games: { text: formatCount(games_planned) },
    name: { text: safeLine(name, 80) },
  }));
  const { dim } = createStyle(options.color);
  const text = `${renderTable({ columns: COLUMNS, rows, width: options.width, paintHeader: dim }).lines.join('\n')}\n`;
  return options.ascii ? plainSigns(text) : text;
}
