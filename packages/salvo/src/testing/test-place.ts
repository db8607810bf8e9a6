/** The test that is running, as far as its runner tells. */
export interface TestPlace {
  /** The name with those of its suites; null outside of a test. */
  name: string | null;
  /** Absolute; null if it is unknown. */
  file: string | null;
  /** Aborted when the test times out or is cancelled. */
  signal: AbortSignal | null;
  /** Marks the test as skipped. It may throw. */
  skip: ((note: string) => void) | null;
}

/** What Vitest and node:test pass to a test function, as far as it is used here. */
export interface TestContextLike {
  readonly signal: AbortSignal;
  skip(note?: string): unknown;
  /** Of Vitest. */
  readonly task?: {
    readonly fullTestName?: string;
    readonly name: string;
    readonly file: { readonly filepath: string };
  };
  /** Of node:test. */
  readonly fullName?: string;
  readonly filePath?: string | undefined;
}

/** The place of a test whose context is known. It is right also for tests that run at the same time. */
export function placeOf(context: TestContextLike, known: Pick<TestPlace, 'name' | 'file'>): TestPlace {
  return {
    name: context.task?.fullTestName ?? context.fullName ?? context.task?.name ?? known.name,
    file: context.task?.file.filepath ?? context.filePath ?? known.file,
    signal: context.signal,
    skip: (note) => void context.skip(note),
  };
}
