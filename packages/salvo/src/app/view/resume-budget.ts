import { loadSettings } from '../../scenario/load-project.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { ViewedProject } from './viewed-project.ts';

/** What whoever started the viewer says about money. */
export interface ResumeLimits {
  /** `--max-budget-usd` */
  maxBudgetUsd?: number | undefined;
  /** Other machines can reach the viewer, so that nothing is resumed without a limit. */
  isOpenToOthers?: boolean | undefined;
}

/** The most that a resumed run may spend: the lower one of the viewer's and the project's; undefined without both. */
export function lowestLimit(...limits: (number | undefined)[]): number | undefined {
  const given = limits.filter((limit) => limit !== undefined);
  return given.length === 0 ? undefined : Math.min(...given);
}

/**
 * The budget of a run that is resumed from the page. Whoever has a link does not decide what it costs: a budget can be
 * asked for only up to a limit that the owner has set, and without asking the limit itself holds. salvo.yaml counts as it
 * is now. Undefined, only on the owner's machine: the planned trials are run without a limit, as at the command line.
 */
export async function budgetOfResume(
  { program }: ViewedProject,
  asked: number | undefined,
  { maxBudgetUsd, isOpenToOthers = false }: ResumeLimits,
): Promise<number | undefined> {
  const { budget_usd: ofProject } = (await loadSettings(program.cwd)).config;
  const limit = lowestLimit(maxBudgetUsd, ofProject);
  if (limit === undefined) {
    if (asked === undefined && !isOpenToOthers) return undefined;
    throw new SalvoError(
      'BUDGET_LIMIT_MISSING',
      'Nobody has set a limit for what can be spent from here. Whoever starts the viewer can: `salvo view --max-budget-usd 5`, or budget_usd in salvo.yaml.',
    );
  }
  if (asked === undefined || asked <= limit) return asked ?? limit;
  const advice = limit === ofProject ? 'of this project is' : 'that was set with `salvo view --max-budget-usd` is';
  throw new SalvoError('BUDGET_TOO_HIGH', `The largest budget ${advice} $${limit}: give that or less.`);
}

/** What a run may spend that is resumed with a link, for the terminal. */
export function spendingSentence({
  maxBudgetUsd,
  budgetUsd,
  isOpenToOthers,
}: ResumeLimits & { budgetUsd: number | undefined }): string {
  const limit = lowestLimit(maxBudgetUsd, budgetUsd);
  if (limit !== undefined) return `A resumed run spends at most $${limit}.`;
  const advice = '`salvo view --max-budget-usd 5`, or budget_usd in salvo.yaml, sets one';
  return isOpenToOthers
    ? `Runs cannot be resumed as long as there is no limit of money: ${advice}.`
    : `A resumed run has no limit of money: ${advice}.`;
}
