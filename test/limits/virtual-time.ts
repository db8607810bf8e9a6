/** A clock for simulations: time passes only when everything waits. */
export function createVirtualTime() {
  let now = 0;
  let order = 0;
  const timers = new Set<{ at: number; order: number; run: () => void }>();
  const after = (ms: number, run: () => void): (() => void) => {
    order += 1;
    const timer = { at: now + ms, order, run };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  return {
    nowMs: () => now,
    after,
    sleep: (ms: number): Promise<void> => new Promise((resolve) => after(ms, resolve)),
    /** Lets time pass until `work` is done. Throws when it waits for something that never happens. */
    async passUntil(work: Promise<unknown>, mostMs = 3_600_000): Promise<void> {
      let isDone = false;
      let failure: unknown;
      work.then(
        () => {
          isDone = true;
        },
        (error: unknown) => {
          isDone = true;
          failure = error ?? new Error('rejected');
        },
      );
      for (;;) {
        for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
        // What needs no time may need many turns.
        if (timers.size === 0) await new Promise((resolve) => setImmediate(resolve));
        if (isDone) break;
        const [next] = [...timers].sort((a, b) => a.at - b.at || a.order - b.order);
        if (!next || next.at > mostMs) throw new Error(`nothing goes on after ${now} ms`);
        timers.delete(next);
        now = next.at;
        next.run();
      }
      if (failure !== undefined) throw failure;
    },
  };
}

export type VirtualTime = ReturnType<typeof createVirtualTime>;
