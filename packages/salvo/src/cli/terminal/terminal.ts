/** Everything that a command needs of its process. Injected, so that tests need no process. */
export interface Terminal {
  cwd: string;
  env: Record<string, string | undefined>;
  /** Results. Nothing else is ever written here. */
  stdout: Output;
  /** Progress, warnings and errors. */
  stderr: Output;
  /** Aborted by the first Ctrl-C: start nothing new. */
  stop: AbortSignal;
  /** Aborted by the second Ctrl-C: give up what is under way, too. */
  abort: AbortSignal;
  /**
   * Called by a command that can leave its work to others: from then on, a terminal that is closed aborts this signal,
   * and no longer stops the work.
   */
  leave?: (() => AbortSignal) | undefined;
  /** Asks the user, and returns the answer. Not given where nobody can answer: without a terminal, and in CI. */
  ask?: ((question: string) => Promise<string>) | undefined;
}

export interface Output {
  /** With `commands`, the text is commands for a CI, made by Salvo. In any other text, nothing acts as one. */
  write(text: string, options?: { commands: boolean }): void;
  isTTY: boolean;
  columns: number;
  color: boolean;
  /** True when the reader has closed the pipe: nothing that is written arrives. */
  readonly closed?: boolean;
}
