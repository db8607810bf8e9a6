/**
 * How Salvo itself writes: bound when the process starts, before the output of agents in this process is captured or
 * sent elsewhere.
 */
export const ownWrite = {
  stdout: process.stdout.write.bind(process.stdout),
  stderr: process.stderr.write.bind(process.stderr),
};
