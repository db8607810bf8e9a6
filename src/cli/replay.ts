import { openProject } from '../app/open-project.ts';
import { renderConversation } from '../report/run/conversation.ts';
import { renderTrialResult } from '../report/run/trial-report.ts';
import { resolveTraceId } from '../store/resolve-id.ts';
import { harmlessJson } from '../text/harmless-json.ts';
import { SalvoError } from '../text/salvo-error.ts';
import { isMetadataOnly } from '../trace/without-text.ts';
import { terminalLook } from './terminal/print-result.ts';
import type { Terminal } from './terminal/terminal.ts';

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
    stdout.write(`${harmlessJson(trace, 2)}\n`);
    return 0;
  }
  if (isMetadataOnly(trace)) {
    throw new SalvoError(
      'TRACE_WITHOUT_TEXT',
      `The trace ${traceId} was recorded without its texts (\`recording: { mode: metadata_only }\` in salvo.yaml): there is no conversation to show. --json prints its figures.`,
    );
  }
  const look = terminalLook(terminal);
  const maxChars = options.full ? Number.POSITIVE_INFINITY : undefined;
  stdout.write(renderConversation(trace, { ...look, maxChars }));
  const trial = await opened.store.findTrialOfTrace(traceId);
  if (trial?.result) {
    const { run_id, scenario_index, result } = trial;
    const scenario = (await opened.store.getRun(run_id))?.scenarios[scenario_index]?.name ?? '';
    stdout.write(`\n${renderTrialResult({ scenario, result }, look)}`);
  }
  return 0;
}
