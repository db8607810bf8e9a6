/**
 * How the Red Team chooses what to plant: `balanced` over categories, `targeted` at one, `stealth` for what hides best,
 * `blitz` for many, `chained` for flaws that are worse together.
 */
export const STRATEGIES = ['balanced', 'targeted', 'stealth', 'blitz', 'chained'] as const;

export type Strategy = (typeof STRATEGIES)[number];
