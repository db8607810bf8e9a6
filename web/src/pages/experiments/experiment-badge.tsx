import type { ExperimentLine } from '../../../../src/app/view/games/experiment-view.ts';
import badges from '../../parts/verdict-badge.module.css';

const SHOWN: Record<ExperimentLine['status'], { name: string; look: string; sign: string }> = {
  // It says that it is running, and no process is at work on it.
  running: { name: 'Interrupted', look: 'unscored', sign: '–' },
  finished: { name: 'Finished', look: 'pass', sign: '✓' },
  interrupted: { name: 'Interrupted', look: 'unscored', sign: '–' },
  stopped: { name: 'Stopped', look: 'fail', sign: '■' },
};

export function ExperimentBadge({ status, isRunning }: { status: ExperimentLine['status']; isRunning: boolean }) {
  const { name, look, sign } = isRunning ? { name: 'Running', look: 'running', sign: '…' } : SHOWN[status];
  return (
    <span className={`${badges.badge} ${badges[look]}`}>
      <span aria-hidden="true">{sign}</span> {name}
    </span>
  );
}
