import { AsyncLocalStorage } from 'node:async_hooks';
import { Console } from 'node:console';
import { Writable } from 'node:stream';

type Log = (text: string) => void;
type Write = NodeJS.WriteStream['write'];

/** The log of the trial whose agent is running. Trials that run at the same time each have their own. */
const current = new AsyncLocalStorage<Log>();
let running = 0;
let restore: (() => void) | undefined;

/**
 * Calls code of the user in this process, and passes to `log` what it prints: `console`, `process.stdout` and
 * `process.stderr`. Prints outside of such a call go where they always go. Salvo writes to the terminal itself.
 */
export async function captureOutput<T>(log: Log | undefined, call: () => T | Promise<T>): Promise<T> {
  if (!log) return await call();
  if (running === 0) restore = divert();
  running += 1;
  try {
    return await current.run(log, async () => await call());
  } finally {
    running -= 1;
    if (running === 0) restore?.();
  }
}

/** Replaces the functions that print. The returned function puts the originals back. */
function divert(): () => void {
  const undo = [divertWrite(process.stdout), divertWrite(process.stderr), divertConsole()];
  return () => {
    for (const each of undo) each();
  };
}

function divertWrite(stream: NodeJS.WriteStream): () => void {
  const original: Write = stream.write;
  const diverted: Write = (chunk, ...rest: unknown[]): boolean => {
    const log = current.getStore();
    if (!log) return Reflect.apply(original, stream, [chunk, ...rest]);
    log(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
    const done = rest.find((argument) => typeof argument === 'function');
    if (done) queueMicrotask(() => Reflect.apply(done, undefined, []));
    return true;
  };
  stream.write = diverted;
  return () => {
    // Someone else may have replaced it since.
    if (stream.write === diverted) stream.write = original;
  };
}

/** A console need not write to the streams of the process: that of a test runner does not. */
function divertConsole(): () => void {
  const { console } = globalThis;
  const stream = new Writable({
    decodeStrings: false,
    write(text, _, done) {
      current.getStore()?.(String(text));
      done();
    },
  });
  const capturing = new Console({ stdout: stream, stderr: stream, colorMode: false });
  const undo: (() => void)[] = [];
  for (const name of Object.keys(console)) {
    const original: unknown = Reflect.get(console, name);
    const captured: unknown = Reflect.get(capturing, name);
    if (typeof original !== 'function' || typeof captured !== 'function') continue;
    const diverted = (...args: unknown[]): unknown =>
      current.getStore() ? Reflect.apply(captured, capturing, args) : Reflect.apply(original, console, args);
    Reflect.set(console, name, diverted);
    undo.push(() => {
      if (Reflect.get(console, name) === diverted) Reflect.set(console, name, original);
    });
  }
  return () => {
    for (const each of undo) each();
  };
}
