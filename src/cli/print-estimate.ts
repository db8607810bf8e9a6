import { renderEstimate } from '../report/run/estimate-report.ts';
import type { Estimate } from '../run/estimate/estimate.ts';
import { printResult } from './terminal/print-result.ts';
import type { Terminal } from './terminal/terminal.ts';

export function printEstimate(estimate: Estimate, { json }: { json: boolean }, terminal: Terminal): void {
  printResult({ json, document: estimate, text: (look) => renderEstimate(estimate, look) }, terminal);
}
