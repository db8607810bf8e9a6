const FRAME = /^\s*at\s+\S/;

/** The first line of a stack that names a place in the code, such as `at plan (/app/agent.ts:12:9)`; null without one. */
export function firstFrame(stack: string): string | null {
  return (
    stack
      .split('\n')
      .find((line) => FRAME.test(line))
      ?.trim() ?? null
  );
}
