import type { JudgeInUse } from '../../judge/calibration/judges-in-use.ts';
import { safeLine } from '../../text/safe-text.ts';
import { formatPlural } from '../terminal/format.ts';

const MOST = 5;

/** A line for each judge that nobody has compared with people yet, and what to do about it. */
export function uncalibratedWarnings(judges: readonly JudgeInUse[]): string[] {
  const lines = judges.slice(0, MOST).map(({ judge_model, relativeFile }) => {
    const file = safeLine(relativeFile, 100);
    return `Warning: the judge ${safeLine(judge_model, 80)} of ${file} was never compared with people. \`salvo calibrate labels.jsonl --scenario ${file}\` tells how far to trust it.`;
  });
  const rest = judges.length - MOST;
  return rest > 0 ? [...lines, `Warning: ${formatPlural(rest, 'more judge')} never compared with people.`] : lines;
}
