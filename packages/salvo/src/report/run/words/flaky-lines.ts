import type { FlakyCase } from '../../../run/record/flaky-case.ts';
import { formatPlural } from '../../../stats/format.ts';
import { safeLine } from '../../../text/output/safe-text.ts';

const MOST_NAMED = 10;
const SHORT_COMMIT = 7;

/** The cases that both passed and failed at one commit, each in a line, with a heading. Empty if there are none. */
export function flakyLines(flaky: readonly FlakyCase[]): string[] {
  if (flaky.length === 0) return [];
  const lines = flaky.slice(0, MOST_NAMED).map((each) => {
    const { scenario, case: caseName, model, commit, trials_passed, trials_scored, runs } = each;
    const name = caseName === null ? scenario : `${scenario}/${caseName}`;
    const where = `at commit ${commit.slice(0, SHORT_COMMIT)} with ${model}`;
    const count = `passed ${trials_passed} of ${formatPlural(trials_scored, 'trial')}`;
    const failed = runs.length > 1 ? ` in ${formatPlural(runs.length, 'run')}, failed in run ${each.failed_in}` : '';
    return safeLine(`${name}: ${count}${failed} ${where}`);
  });
  const rest = flaky.length - lines.length;
  const more = rest > 0 ? [`and ${rest} more`] : [];
  return ['Flaky: passed and failed although nothing was changed', ...lines, ...more];
}
