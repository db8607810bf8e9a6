import type { UncalibratedJudge } from '../../judge/calibration/judges-in-use.ts';
import { formatPlural } from '../../stats/format.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';

const MOST_WARNINGS = 5;

/** A warning for each judge that was never compared with people, and what to do about it. */
export function uncalibratedWarnings(judges: readonly UncalibratedJudge[]): string[] {
  const lines = judges.slice(0, MOST_WARNINGS).map(({ judgeModel, relativeFile, difference }) => {
    const file = safeLine(relativeFile, 100);
    if (difference !== null) {
      return `Warning: the judge ${safeLine(judgeModel, 80)} of ${file} was ${safeLine(difference, 300)}: calibrate again, with \`${salvoCommand()} calibrate labels.jsonl --scenario ${file}\`.`;
    }
    return `Warning: the judge ${safeLine(judgeModel, 80)} of ${file} was never compared with people. \`${salvoCommand()} calibrate labels.jsonl --scenario ${file}\` shows how far to trust it.`;
  });
  const rest = judges.length - MOST_WARNINGS;
  return rest > 0 ? [...lines, `Warning: ${formatPlural(rest, 'more judge')} never compared with people.`] : lines;
}
