// Runs in a thread of its own, which `inline-threads.ts` starts. Everything is passed as JSON, so that objects have the
// prototypes of the context in which the code runs. Each piece of code has a context of its own: it has the language, and
// nothing of Node.
const { createContext, runInContext } = require('node:vm');
const { parentPort } = require('node:worker_threads');

const PRELUDE = `
  const quiet = () => {};
  globalThis.console = { log: quiet, info: quiet, warn: quiet, error: quiet, debug: quiet };
  (text) => {
    const given = JSON.parse(text);
    const read = { tools: false };
    const { trace } = given.context;
    const calls = trace?.tool_calls_made;
    const get = () => { read.tools = true; return calls; };
    if (trace) Object.defineProperty(trace, 'tool_calls_made', { get, enumerable: true, configurable: true });
    return { given, read };
  };
`;

parentPort.on('message', async ({ source, given, filename }) => {
  const sandbox = createContext();
  let answer;
  try {
    const readGiven = runInContext(PRELUDE, sandbox);
    const { given: parsed, read } = readGiven(given);
    const { output, context } = parsed;
    const code = runInContext(source, sandbox, { filename, lineOffset: -1 });
    let value = await code(output, context);
    if (typeof value === 'function') value = await value(output, context);
    const json = value === undefined ? undefined : JSON.stringify(value);
    answer = { json, hasReadTools: read.tools === true };
  } catch (error) {
    answer = { error: described(error, filename) };
  }
  parentPort.postMessage(answer);
  // Never, if the code left something behind that goes on without end.
  setImmediate(() => parentPort.postMessage('idle'));
});

/** What was thrown may be anything, and may throw again when it is looked at. */
function described(error, filename) {
  try {
    const isError = typeof error === 'object' && error !== null && typeof error.message === 'string';
    const message = isError ? `${error.name}: ${error.message}` : `thrown: ${String(error)}`;
    const place = isError && new RegExp(`${filename}:(\\d+):(\\d+)`).exec(String(error.stack).slice(0, 10000));
    return { message: message.slice(0, 2000), line: place ? Number(place[1]) : null };
  } catch {
    return { message: 'thrown: something that cannot be shown', line: null };
  }
}
