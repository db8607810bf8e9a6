import type { BlueOptions } from './command-options.ts';

/** A Blue that is a command has the name `command:...`, and its format is that of its report. */
export function withBlueCommand<Options extends BlueOptions & { blue?: string | undefined }>({
  blueCommand,
  blueFormat,
  ...options
}: Options) {
  const blue = blueCommand === undefined ? options.blue : `command:${blueCommand}`;
  return { ...options, blue, format: blueFormat };
}
