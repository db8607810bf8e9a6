/** The four rates that games are compared by. NaN where there is nothing to compute one from. */
export interface GameRates {
  precision: number;
  recall: number;
  f1: number;
  evasion: number;
}

/** Sums over games: counts, and the rates of each game. In one pass, since intervals need hundreds of them. */
export type RateSums = ReturnType<typeof createRateSums>;

export function createRateSums() {
  return { games: 0, found: 0, evaded: 0, alarms: 0, precision: 0, recall: 0, f1: 0, evasion: 0 };
}

export function addRateSums(sums: RateSums, added: RateSums): void {
  sums.games += added.games;
  sums.found += added.found;
  sums.evaded += added.evaded;
  sums.alarms += added.alarms;
  sums.precision += added.precision;
  sums.recall += added.recall;
  sums.f1 += added.f1;
  sums.evasion += added.evasion;
}

/** The rates of all games as if they were one, so that large games count more. */
export function pooledRates({ found, evaded, alarms }: Pick<RateSums, 'found' | 'evaded' | 'alarms'>): GameRates {
  return {
    precision: ratio(found, found + alarms),
    recall: ratio(found, found + evaded),
    f1: ratio(2 * found, 2 * found + alarms + evaded),
    evasion: ratio(evaded, found + evaded),
  };
}

/** The mean rates of the games: every game counts alike. */
export function meanRates({ games, precision, recall, f1, evasion }: RateSums): GameRates {
  return {
    precision: ratio(precision, games),
    recall: ratio(recall, games),
    f1: ratio(f1, games),
    evasion: ratio(evasion, games),
  };
}

export function ratio(part: number, whole: number): number {
  return whole === 0 ? Number.NaN : part / whole;
}
