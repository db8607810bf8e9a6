import type { Canvas } from '../../terminal/look.ts';
import { joinParts, wrap } from '../../terminal/wrap.ts';
import type { RunReport } from '../run-report.ts';
import { flakyLines } from '../words/flaky-lines.ts';
import { overallParts } from '../words/reliability.ts';
import { oneDrawNote } from '../words/run-notes.ts';

/** The figures over all scenarios, and which of them are of a single draw. */
export function overallStatistics({ overall, scenarios }: RunReport, { width, style }: Canvas): string[][] {
  const oneDraw = oneDrawNote(scenarios);
  return [joinParts(overallParts(overall), width), oneDraw === null ? [] : wrap(oneDraw, width).map(style.yellow)];
}

/** What both passed and failed in runs of the same commit. */
export function flakyBlock({ flaky = [] }: RunReport, { width, style }: Canvas): string[] {
  return flakyLines(flaky)
    .flatMap((line, index) => wrap(index === 0 ? line : `  ${line}`, width))
    .map(style.yellow);
}
