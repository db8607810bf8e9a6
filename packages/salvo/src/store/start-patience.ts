/** How a process waits for a database that can't be reached: it may be restarting. */
export interface DatabasePatience {
  /** When the process starts. */
  seconds: number;
  /** Later, when it has work under way. */
  outageSeconds: number;
  /** Called with a sentence for the user: when the process begins to wait, and now and then in a long outage. */
  onWaiting: (message: string) => void;
  /** Aborted when the user does not want to wait any longer. */
  signal?: AbortSignal | undefined;
}

/** How long a process waits at its start. */
export const PATIENCE_SECONDS = 60;
/** How long a process with work under way waits: what it has paid for should not be lost to a long outage. */
export const OUTAGE_SECONDS = 3600;
