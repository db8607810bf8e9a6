import type { SessionLog } from '../session/session-log.ts';
import type { OpenHandsFigures } from './figures.ts';

/** An event with what is needed to read it. */
export interface StreamEvent {
  event: Record<string, unknown>;
  line: number;
  place: string;
  time: number | null;
  log: SessionLog;
  figures: OpenHandsFigures;
}
