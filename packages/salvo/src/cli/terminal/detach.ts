import type { Terminal } from './terminal.ts';

/** With `--detach`: prints the id of what is left to the workers, and succeeds. */
export async function detached(
  command: () => Promise<number>,
  { detach, json }: { detach?: boolean | undefined; json: boolean },
  { stdout, stderr }: Terminal,
): Promise<number> {
  try {
    return await command();
  } catch (error) {
    const { LeftToWorkers } = await import('../../queue/follow-order.ts');
    if (!detach || !(error instanceof LeftToWorkers)) throw error;
    const { kind, id } = error.work;
    stdout.write(json ? `${JSON.stringify({ [`${kind}_id`]: id })}\n` : `${id}\n`);
    stderr.write(`${error.message}\n`);
    return 0;
  }
}
