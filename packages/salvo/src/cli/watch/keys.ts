export type Key = 'same' | 'all' | 'failed' | 'quit';

const CTRL_C = '\u0003';

const MEANINGS: ReadonlyMap<string, Key> = new Map([
  ['\r', 'same'],
  ['\n', 'same'],
  ['a', 'all'],
  ['f', 'failed'],
  ['q', 'quit'],
]);

/** The keys that the user presses while `--watch` runs. Without a terminal there are none. */
export function readKeys(stdin: NodeJS.ReadStream = process.stdin) {
  const isTerminal = stdin.isTTY === true;
  let last: Key | null = null;
  let hasQuit = false;
  let pressed = new AbortController();
  let interrupt: (() => void) | null = null;
  const onData = (chunk: Buffer): void => {
    for (const character of chunk.toString('utf8')) {
      const key = character === CTRL_C ? 'quit' : MEANINGS.get(character.toLowerCase());
      if (key === undefined) continue;
      last = key;
      if (key === 'quit') {
        hasQuit = true;
        interrupt?.();
      }
      pressed.abort();
      pressed = new AbortController();
    }
  };
  if (isTerminal) {
    stdin.setRawMode(true);
    stdin.on('data', onData);
    stdin.resume();
  }
  return {
    isTerminal,
    /** The key that was pressed last, once. */
    next(): Key | null {
      const key = last;
      last = null;
      return key;
    },
    hasQuit: () => hasQuit,
    /** Aborted by the next key. */
    pressed: (): AbortSignal => pressed.signal,
    /** Called by q and Ctrl-C, which a terminal that passes on single keys does not make a signal of. */
    onInterrupt(listener: (() => void) | null): void {
      interrupt = listener;
    },
    close(): void {
      if (!isTerminal) return;
      stdin.off('data', onData);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
