import { createRemovableList, type RemovableList } from '../../text/removable-list.ts';

/** A signal that is aborted when one of the two is: that of one piece of work, and one that many share. */
export function eitherSignal(
  signal: AbortSignal | undefined,
  stop: AbortSignal | undefined,
): Disposable & { signal: AbortSignal } {
  if (stop === undefined || signal === undefined) {
    return { signal: signal ?? stop ?? new AbortController().signal, [Symbol.dispose]() {} };
  }
  const controller = new AbortController();
  const onAbort = (): void => controller.abort((signal.aborted ? signal : stop).reason);
  if (signal.aborted || stop.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  const ignoreStop = whenAborted(stop, onAbort);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      signal.removeEventListener('abort', onAbort);
      ignoreStop();
    },
  };
}

const callbacks = new WeakMap<AbortSignal, RemovableList<() => void>>();

/**
 * Calls back when the signal is aborted, until the returned function is called. For signals that all trials of a run
 * share: each has one listener. `AbortSignal.any` would accumulate on them, and a listener that was removed can
 * keep the next one alive, with all objects of its trial, until the next full garbage collection.
 */
export function whenAborted(signal: AbortSignal, call: () => void): () => void {
  return (callbacks.get(signal) ?? listenTo(signal)).add(call);
}

function listenTo(signal: AbortSignal): RemovableList<() => void> {
  const list = createRemovableList<() => void>();
  callbacks.set(signal, list);
  signal.addEventListener('abort', () => {
    for (const call of list.items()) call();
  });
  return list;
}
