import type { GameLine } from '../../../../src/app/view/experiment-view.ts';
import type { GameFilter } from '../../../../src/app/view/page-hrefs.ts';

export const OUTCOMES = ['all found', 'some found', 'none found', 'failed'] as const;
export type GameOutcome = (typeof OUTCOMES)[number];

export const FILTER_FIELDS = ['red', 'blue', 'task', 'difficulty', 'language', 'outcome'] as const;

export function gameOutcome({ status, flaws, found }: Pick<GameLine, 'status' | 'flaws' | 'found'>): GameOutcome {
  if (status === 'failed') return 'failed';
  return found === flaws ? 'all found' : found === 0 ? 'none found' : 'some found';
}

export function fieldOf(game: GameLine, field: keyof GameFilter): string {
  return field === 'outcome' ? gameOutcome(game) : game[field];
}

/** What the address says; unknown words are left out. */
export function readFilter(text: string): GameFilter {
  const words = new URLSearchParams(text);
  const [red = '', blue = '', task = '', difficulty = '', language = '', outcome = ''] = FILTER_FIELDS.map(
    (field) => words.get(field) ?? '',
  );
  return { red, blue, task, difficulty, language, outcome };
}

export function fits(game: GameLine, filter: GameFilter): boolean {
  return FILTER_FIELDS.every((field) => filter[field] === '' || fieldOf(game, field) === filter[field]);
}
