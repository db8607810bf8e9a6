import type { Workplace } from 'salvo/kit/project';
import { checkTools, type ToolStatus } from '../../blue/scanners/check-tools.ts';

/** The scanners that can be a Blue here, and what the others lack. */
export async function listTools({ cwd = process.cwd(), env = process.env }: Workplace): Promise<ToolStatus[]> {
  return await checkTools({ env, root: cwd });
}
