import { parseFunctionReply } from '../adapters/agent/agent-reply.ts';
import type { TraceRecorder } from './trace-recorder.ts';

/** Keeps what an agent said and called before its stream failed or was stopped, as far as that can be read. */
export async function addPartial(recorder: TraceRecorder, chunks: readonly string[]): Promise<void> {
  const $stream = chunks.map((json): unknown => JSON.parse(json));
  const source = { callee: 'The agent', request: 0, asked: recorder.messages, isPartial: true };
  try {
    recorder.partial(await parseFunctionReply({ $stream }, source));
  } catch {
    // The error of the trial is that of the stream, and not that its beginning cannot be read.
  }
}
