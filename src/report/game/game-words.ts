import type { Game } from '../../arena/game/game-document.ts';
import { taskById } from '../../arena/tasks/tasks.ts';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import { formatMoney, formatPlural, formatSeconds } from '../terminal/format.ts';

/** The task's title, or its text when it is none of the catalogue. */
export function taskTitle({ task }: Pick<Game, 'task'>): string {
  return taskById(task)?.title ?? task;
}

/** `1.2s, seed 7, $0.0123` */
export function gameFootnote(game: Game): string {
  const costs = [game.red_cost_usd, game.blue_cost_usd, game.judge_cost_usd];
  const cost = sumOrUnknown(costs);
  return [
    formatSeconds(game.duration_seconds),
    `seed ${game.seed}`,
    ...(cost === 0 ? [] : [cost === null ? 'cost unknown' : formatMoney(cost)]),
  ].join(', ');
}

export function flaws(count: number): string {
  return formatPlural(count, 'flaw');
}
