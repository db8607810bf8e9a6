import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import type { ScoreResults } from '../../match/results/score-results.ts';
import type { BlueOutcome } from '../blue/blue-team.ts';
import type { GateResult } from '../gate/gate-result.ts';
import type { RedOutcome } from '../red/red-team.ts';
import type { Game } from './game-document.ts';

/** A game that is over, with everything that it produced. A part is null when the game failed before it. */
export interface PlayedGame {
  game: Game;
  red: RedOutcome | null;
  gate: GateResult | null;
  /** The entries that were confirmed. Only they are scored, and indices in `results` are indices of these. */
  scored: Vulnerability[];
  blue: BlueOutcome | null;
  results: ScoreResults | null;
  /** What was thrown; null when the game was scored. */
  cause: unknown;
}
