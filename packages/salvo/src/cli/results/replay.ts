import { type ReplayedTrial, replayTrial } from '../../app/results/replay-trial.ts';
import { renderConversation } from '../../report/run/terminal/conversation.ts';
import { renderTrialResult } from '../../report/run/terminal/trial-report.ts';
import type { Look } from '../../report/terminal/look.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { safeBlock } from '../../text/output/safe-text.ts';
import { isMetadataOnly } from '../../trace/not-recorded.ts';
import type { ReplayCommandOptions } from '../program/command-options.ts';
import { printResult } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `salvo replay` */
export async function replayCommand(options: ReplayCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env } = terminal;
  const replayed = await replayTrial({ cwd, env, target: options.target, trial: options.trial });
  if (replayed.note !== null) terminal.stderr.write(`${safeBlock(replayed.note)}\n`);
  const maxChars = options.full ? Number.POSITIVE_INFINITY : undefined;
  printResult(
    {
      json: options.json,
      kind: 'trace',
      document: replayed.trace,
      text: (look) => render(replayed, { ...look, maxChars }),
    },
    terminal,
  );
  return 0;
}

function render({ traceId, trace, trial }: ReplayedTrial, look: Look & { maxChars: number | undefined }): string {
  if (isMetadataOnly(trace)) {
    throw new SalvoError(
      'TRACE_TEXT_MISSING',
      `The trace ${traceId} was recorded without its texts (\`recording: { mode: metadata_only }\` in salvo.yaml): there is no conversation to show. --json prints its numbers.`,
    );
  }
  const conversation = renderConversation(trace, look);
  return trial ? `${conversation}\n${renderTrialResult(trial, look)}` : conversation;
}
