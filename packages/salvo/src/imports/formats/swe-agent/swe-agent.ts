import { isRecord } from '../../../text/json/is-record.ts';
import type { ImportFormat } from '../../import-format.ts';
import { eachObject } from '../read-each.ts';
import { listIn, recordIn } from '../record-fields.ts';
import { isMiniTrajectory, readMiniTrajectory } from './mini-trajectory.ts';
import { readTrajectory } from './trajectory.ts';

/** Trajectories of SWE-agent and of mini-swe-agent. */
export const sweAgentFormat: ImportFormat = {
  name: 'swe-agent',
  title: 'SWE-agent trajectories',
  unit: 'record',
  recognises: (value) => isRecord(value) && (isMiniTrajectory(value) || isTrajectory(value) || hasAttempts(value)),
  *read(records) {
    for (const { value, line } of eachObject(records, 'is no trajectory, which is an object')) {
      if (hasAttempts(value)) {
        for (const [index, attempt] of listIn(value, 'attempts').entries()) {
          const read = isRecord(attempt) ? readTrajectory(attempt, { line, trial: index }) : null;
          if (read) yield read;
        }
        continue;
      }
      const read = isMiniTrajectory(value)
        ? readMiniTrajectory(value, line)
        : readTrajectory(value, { line, trial: null });
      if (read) yield read;
    }
  },
};

function isTrajectory(value: Record<string, unknown>): boolean {
  const [message] = listIn(value, 'history');
  if (isRecord(message) && 'role' in message && ('message_type' in message || 'agent' in message)) return true;
  const [step] = listIn(value, 'trajectory');
  if (isRecord(step)) return 'action' in step && 'observation' in step && ('thought' in step || 'response' in step);
  return Array.isArray(value.trajectory) && Array.isArray(value.history) && 'exit_status' in recordIn(value, 'info');
}

/** An agent that tries several times has a trajectory for each. */
function hasAttempts(value: Record<string, unknown>): boolean {
  const [attempt] = listIn(value, 'attempts');
  return isRecord(attempt) && isTrajectory(attempt);
}
