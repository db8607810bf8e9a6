/** Everything a command knows of the world outside: injected, so that commands are tested without a process. */
export interface Terminal {
  cwd: string;
  env: Record<string, string | undefined>;
  /** Results. Nothing else is ever written here. */
  stdout: Output;
  /** Progress, warnings and errors. */
  stderr: Output;
  /** Aborted by the first Ctrl-C: start nothing more. */
  stop: AbortSignal;
  /** Aborted by the second: don't wait for what is under way either. */
  abort: AbortSignal;
}

export interface Output {
  write(text: string): void;
  isTTY: boolean;
  columns: number;
  color: boolean;
}
