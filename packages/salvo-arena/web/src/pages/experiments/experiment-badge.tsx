import { Badge, type BadgeLook } from 'salvo/viewer-parts';
import type { ExperimentLine } from '../../../../src/app/view/experiment-view.ts';

const SHOWN: Record<ExperimentLine['status'], BadgeLook> = {
  // It says that it is running, and no process is at work on it.
  running: { name: 'Interrupted', look: 'unscored', sign: '–' },
  finished: { name: 'Finished', look: 'pass', sign: '✓' },
  interrupted: { name: 'Interrupted', look: 'unscored', sign: '–' },
  stopped: { name: 'Stopped', look: 'fail', sign: '■' },
};

export function ExperimentBadge({ status, isRunning }: { status: ExperimentLine['status']; isRunning: boolean }) {
  return isRunning ? <Badge name="Running" look="running" sign="…" /> : <Badge {...SHOWN[status]} />;
}
