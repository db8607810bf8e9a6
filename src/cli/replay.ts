import { renderConversation } from '../report/conversation.ts';
import { SalvoError } from '../salvo-error.ts';
import { resolveTraceId } from '../store/resolve-id.ts';
import { openProject } from './open-project.ts';
import type { Terminal } from './terminal.ts';

/** `salvo replay` */
export async function replayCommand(
  options: { trace: string; full: boolean; json: boolean },
  terminal: Terminal,
): Promise<number> {
  const { stdout } = terminal;
  await using opened = await openProject(terminal);
  const traceId = await resolveTraceId(opened.store, options.trace);
  const trace = await opened.store.getTrace(traceId);
  if (!trace) throw new SalvoError('TRACE_UNKNOWN', `There is no trace ${traceId}.`);
  if (options.json) {
    stdout.write(`${JSON.stringify(trace, null, 2)}\n`);
    return 0;
  }
  stdout.write(
    renderConversation(trace, {
      width: stdout.columns,
      color: stdout.color,
      ascii: terminal.env.TERM === 'dumb',
      ...(options.full ? { maxChars: Number.POSITIVE_INFINITY } : {}),
    }),
  );
  return 0;
}
