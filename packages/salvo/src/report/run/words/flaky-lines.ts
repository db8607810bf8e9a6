import type { FlakyCase } from '../../../run/record/flaky-case.ts';
import { formatPlural } from '../../../stats/format.ts';
import { type Block, toned } from '../../document/document.ts';

const MOST_NAMED = 10;
const SHORT_COMMIT = 7;

/** The cases that both passed and failed at one commit, each in a line. */
export function flakyList(flaky: readonly FlakyCase[]): Block {
  const lines = flaky.slice(0, MOST_NAMED).map((each) => {
    const { scenario, case: caseName, model, commit, trials_passed, trials_scored, runs } = each;
    const name = caseName === null ? scenario : `${scenario}/${caseName}`;
    const where = `at commit ${commit.slice(0, SHORT_COMMIT)} with ${model}`;
    const count = `passed ${trials_passed} of ${formatPlural(trials_scored, 'trial')}`;
    const failed = runs.length > 1 ? ` in ${formatPlural(runs.length, 'run')}, failed in run ${each.failed_in}` : '';
    return `${name}: ${count}${failed} ${where}`;
  });
  const rest = flaky.length - lines.length;
  return {
    title: { text: 'Flaky: passed and failed although nothing was changed', tone: 'yellow' },
    items: toned('yellow', [...lines, rest > 0 ? `and ${rest} more` : null]).map((text) => ({ text })),
    isOpen: true,
  };
}
