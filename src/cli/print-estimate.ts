import { renderEstimate } from '../report/run/estimate-report.ts';
import type { Estimate } from '../run/estimate/estimate.ts';
import { harmlessJson } from '../text/harmless-json.ts';
import type { Terminal } from './terminal/terminal.ts';

export function printEstimate(estimate: Estimate, { json }: { json: boolean }, { stdout, env }: Terminal): void {
  const look = { width: stdout.columns, color: stdout.color, ascii: env.TERM === 'dumb' };
  stdout.write(json ? `${harmlessJson(estimate, 2)}\n` : renderEstimate(estimate, look));
}
