/** How well a flaw is hidden, not how many there are. */
export const Difficulty = { easy: 'easy', medium: 'medium', hard: 'hard' } as const;

export type Difficulty = (typeof Difficulty)[keyof typeof Difficulty];

export const DIFFICULTIES: readonly Difficulty[] = [Difficulty.easy, Difficulty.medium, Difficulty.hard];
