const FRAME = /^\s*at\s+\S/;
const PYTHON_FRAME = /^\s*File ".+", line \d+/;
const PYTHON_LIBRARY = /[\\/](?:site-packages|dist-packages|lib[\\/]python[\d.]+)[\\/]/;

/**
 * The line of a stack that names the place where code threw, such as `at plan (/app/agent.ts:12:9)`; null without one. In
 * a traceback of Python, it is the last place outside of libraries.
 */
export function firstFrame(stack: string): string | null {
  const lines = stack.split('\n');
  const python = lines.filter((line) => PYTHON_FRAME.test(line));
  const frame =
    lines.find((line) => FRAME.test(line)) ?? python.findLast((line) => !PYTHON_LIBRARY.test(line)) ?? python.at(-1);
  return frame?.trim() ?? null;
}
