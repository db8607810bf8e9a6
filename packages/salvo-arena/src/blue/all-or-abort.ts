/** Runs all tasks at once. When one fails the others are stopped, and its error is thrown once all have ended. */
export async function allOrAbort<T>(
  signal: AbortSignal | undefined,
  tasks: readonly ((signal: AbortSignal) => Promise<T>)[],
): Promise<T[]> {
  const controller = new AbortController();
  const both = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal;
  let failure: { error: unknown } | undefined;
  const results = await Promise.all(
    tasks.map(async (task) => {
      try {
        return [await task(both)];
      } catch (error) {
        failure ??= { error };
        controller.abort(error);
        return [];
      }
    }),
  );
  if (failure) throw failure.error;
  return results.flat();
}
