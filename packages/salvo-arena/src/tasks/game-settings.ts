import type { CodeLanguage } from '../iac/syntax/code-block.ts';

/** How well a flaw is hidden, not how many there are. */
export const Difficulty = { easy: 'easy', medium: 'medium', hard: 'hard' } as const;

export type Difficulty = (typeof Difficulty)[keyof typeof Difficulty];

export const DIFFICULTIES: readonly Difficulty[] = [Difficulty.easy, Difficulty.medium, Difficulty.hard];

/**
 * How the Red Team chooses what to plant: `balanced` over categories, `targeted` at one, `stealth` for what hides best,
 * `blitz` for many, `chained` for flaws that are worse together.
 */
export const STRATEGIES = ['balanced', 'targeted', 'stealth', 'blitz', 'chained'] as const;

export type Strategy = (typeof STRATEGIES)[number];

export const LANGUAGES = ['terraform', 'cloudformation'] as const satisfies readonly CodeLanguage[];

/** The scanners that Salvo knows how to call. */
export const SCANNER_NAMES = ['checkov', 'trivy', 'kics', 'tfsec', 'semgrep', 'terrascan', 'cfn-guard'] as const;

/** What the gate checks claims with, in addition to the code itself: our rules, nothing, or an installed scanner. */
export const TRUTH_CHECKERS = ['rules', 'none', ...SCANNER_NAMES] as const;

export type TruthChecker = (typeof TRUTH_CHECKERS)[number];
/** Which Blues also look at the clean twin: all, those that ask no model and so cost nothing, or none. */
export const TWIN_POLICIES = ['always', 'scanners', 'never'] as const;

export type TwinPolicy = (typeof TWIN_POLICIES)[number];

/** Lists of weaknesses: CIS AWS Foundations Benchmark, AWS Foundational Security Best Practices, HIPAA Security rule. */
export const STANDARDS = ['cis', 'fsbp', 'hipaa'] as const;

export type Standard = (typeof STANDARDS)[number];
