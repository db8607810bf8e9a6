import { type DatabasePatience, OUTAGE_SECONDS, PATIENCE_SECONDS } from '../../store/database-url.ts';
import { safeBlock } from '../../text/output/safe-text.ts';
import type { Terminal } from './terminal.ts';

/** `--wait`: how a command that needs the database waits for it. Ctrl-C ends the waiting. */
export function databasePatience(
  { wait }: { wait?: number | undefined },
  { stderr, stop }: Terminal,
): DatabasePatience {
  const onWaiting = (message: string): void => stderr.write(`${safeBlock(message)}\n`);
  return { seconds: wait ?? PATIENCE_SECONDS, outageSeconds: wait ?? OUTAGE_SECONDS, onWaiting, signal: stop };
}
