/** How a process that starts waits for a database that can't be reached: it may be restarting. */
export interface StartPatience {
  seconds: number;
  /** Called once, when the process begins to wait, with a sentence for the user. */
  onWaiting: (message: string) => void;
  /** Aborted when the user does not want to wait any longer. */
  signal?: AbortSignal | undefined;
}

/** How long a process waits, at its start and later. */
export const PATIENCE_SECONDS = 60;
