import { withoutWorkflowCommands } from '../../text/output/workflow-command.ts';

/**
 * How Salvo itself writes: bound when the process starts, before the output of agents in this process is captured or
 * sent elsewhere. Every line leaves through here, so no text of an agent, a model or a file can be a command for the
 * CI that reads the output.
 */
export const ownWrite = { stdout: inertWrite(process.stdout), stderr: inertWrite(process.stderr) };

/** For the commands that Salvo itself gives to a CI, such as annotations. */
export const commandWrite = {
  stdout: process.stdout.write.bind(process.stdout),
  stderr: process.stderr.write.bind(process.stderr),
};

type Callback = (error?: Error | null) => void;

function inertWrite(stream: NodeJS.WriteStream) {
  const write = stream.write.bind(stream);
  const inert = withoutWorkflowCommands();
  return (chunk: Uint8Array | string, encoding?: BufferEncoding | Callback, done?: Callback): boolean => {
    const given = typeof chunk === 'string' ? inert(chunk) : chunk;
    return typeof encoding === 'function' ? write(given, encoding) : write(given, encoding, done);
  };
}
