import type { Style } from '../../terminal/style.ts';

/** What the lines about one scenario of a report need to know besides the scenario. */
export interface DetailOptions {
  width: number;
  style: Style;
  runId: string;
  /** Commands about the run need not name it. */
  isLatest: boolean;
  /** What to call the scenario in a command. */
  handle: string;
  /** What to call it in the heading; its name if not given. */
  title?: string | undefined;
  /** False if the table above already shows each trial. */
  strip: boolean;
  /** False: the short report. */
  full: boolean;
  /** The short report of a run of one scenario: what is about the run at its end is not said here, too. */
  isAlone: boolean;
  /** The command that the end of the short report has, so that it is not here, too. */
  told?: string | undefined;
}
