import { renderEstimate } from '../report/estimate-report.ts';
import { harmlessJson } from '../report/harmless-json.ts';
import type { Estimate } from '../run/estimate.ts';
import type { Terminal } from './terminal.ts';

export function printEstimate(estimate: Estimate, { json }: { json: boolean }, { stdout, env }: Terminal): void {
  const look = { width: stdout.columns, color: stdout.color, ascii: env.TERM === 'dumb' };
  stdout.write(json ? `${harmlessJson(estimate, 2)}\n` : renderEstimate(estimate, look));
}
