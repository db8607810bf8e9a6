import type { Terminal } from './terminal.ts';
import type { EventDisplay, ProgressSettings } from './work-progress.ts';
import type { ReportTargets } from './write-reports.ts';

/** How a kind of work is shown to somebody who follows it: while it goes on, and when it has ended. */
export interface WorkDisplay<Event = unknown, Ended = unknown> {
  /** Of the work. */
  readonly kind: string;
  progress(terminal: Terminal, settings: ProgressSettings): EventDisplay<Event>;
  /** Returns the exit code. `started`: when it began to be followed. */
  write(ended: Ended, options: { targets: ReportTargets; started: number; terminal: Terminal }): Promise<number>;
}

declare module '../../extension/extension.ts' {
  interface Doors {
    display: readonly WorkDisplay[];
  }
}
