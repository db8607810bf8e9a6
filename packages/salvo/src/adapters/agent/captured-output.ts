import { AsyncLocalStorage } from 'node:async_hooks';
import { Console } from 'node:console';
import { Writable } from 'node:stream';

type Log = (text: string) => void;
type Write = NodeJS.WriteStream['write'];

/** The log of the trial whose agent is running. Trials that run at the same time each have their own. */
const current = new AsyncLocalStorage<Log>();

/**
 * Calls code of the user in this process, and passes to `log` what it prints: `console`, `process.stdout` and
 * `process.stderr`. That of code which was not started by such a call goes where it always goes.
 */
export async function captureOutput<T>(log: Log | undefined, call: () => T | Promise<T>): Promise<T> {
  if (!log) return await call();
  // Never undone: a timer of an agent may print between two trials, and must not write into the progress bar.
  divertStreams();
  divertConsole(globalThis.console);
  return await current.run(log, async () => await call());
}

let areStreamsDiverted = false;

function divertStreams(): void {
  if (areStreamsDiverted) return;
  areStreamsDiverted = true;
  for (const stream of [process.stdout, process.stderr]) {
    const original: Write = stream.write;
    stream.write = (chunk, ...rest: unknown[]): boolean => {
      const log = current.getStore();
      if (!log) return Reflect.apply(original, stream, [chunk, ...rest]);
      log(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
      const done = rest.find((argument) => typeof argument === 'function');
      if (done) queueMicrotask(() => Reflect.apply(done, undefined, []));
      return true;
    };
  }
}

const divertedConsoles = new WeakSet<object>();

/** A console need not write to the streams of the process: that of a test runner does not. */
function divertConsole(console: Console): void {
  if (divertedConsoles.has(console)) return;
  divertedConsoles.add(console);
  const stream = new Writable({
    decodeStrings: false,
    write(text, _, done) {
      current.getStore()?.(String(text));
      done();
    },
  });
  const capturing = new Console({ stdout: stream, stderr: stream, colorMode: false });
  for (const name of Object.keys(console)) {
    const original: unknown = Reflect.get(console, name);
    const captured: unknown = Reflect.get(capturing, name);
    if (typeof original !== 'function' || typeof captured !== 'function') continue;
    Reflect.set(console, name, (...args: unknown[]): unknown =>
      current.getStore() ? Reflect.apply(captured, capturing, args) : Reflect.apply(original, console, args),
    );
  }
}
