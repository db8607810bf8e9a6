/** Where the runs of the benchmark are stored, and what the bare database takes for the same. */
export interface ScaleStore extends AsyncDisposable {
  /** In words. */
  name: string;
  /** Of the processes under measurement. */
  env: Record<string, string>;
  /** What `salvo run` is given besides. */
  runOptions: readonly string[];
  runId(): Promise<string>;
  bytes(): Promise<number>;
  /** CPU seconds of this process to write the same rows with prepared statements, a hundred trials in a transaction. */
  bareWrite(): Promise<number>;
  /** CPU seconds to read where every trial is and how it ended. */
  bareHeads(): Promise<number>;
  /** CPU seconds to read every result and parse it. */
  bareResults(): Promise<number>;
  /** Removes one trial in a hundred, as if the run had been interrupted. Returns how many. */
  loseTrials(): Promise<number>;
}

export const TRIALS_PER_TRANSACTION = 100;
/** Says of every hundredth trial that it is lost. */
export const IS_LOST = '(scenario_index * 37 + case_index * 17 + trial_number) % 100 = 7';

export async function cpuSecondsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
