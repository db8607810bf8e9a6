import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const LONGEST_MS = 2000;

/** Who gives labels, unless they say another name: as git calls them, or the system. */
export async function personName(folder: string, env: Record<string, string | undefined>): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('git', ['config', 'user.name'], { cwd: folder, timeout: LONGEST_MS });
    if (stdout.trim() !== '') return stdout.trim();
  } catch {
    // No git, or no name.
  }
  return env.USER || env.USERNAME || 'somebody';
}
