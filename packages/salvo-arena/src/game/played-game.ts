import type { BlueOutcome } from '../blue/blue-team.ts';
import type { GateResult } from '../gate/gate-result.ts';
import type { Vulnerability } from '../match/claims/vulnerability.ts';
import type { ScoreResults } from '../match/results/score-results.ts';
import type { UnresolvedValue } from '../match/results/unresolved.ts';
import type { RedOutcome } from '../red/red-team.ts';
import type { Game } from './game-document.ts';

export type GameStage = NonNullable<Game['failed_stage']>;

/** What happens in a game, reported as it happens. */
export type GameEvent =
  | { type: 'stage_started'; stage: GameStage }
  | { type: 'stage_failed'; stage: GameStage; message: string }
  | { type: 'red_finished'; files: number; vulnerabilities: number; template: string | null }
  | { type: 'gate_finished'; confirmed: number; phantoms: number; unchecked: number }
  /** `onTwin` is null when Blue did not look at the clean twin. */
  | { type: 'blue_finished'; findings: number; onTwin: number | null }
  | { type: 'judge_finished'; found: number; vulnerabilities: number };

/** A game that is over, with everything that it produced. A part is null when the game failed before it. */
export interface PlayedGame {
  game: Game;
  red: RedOutcome | null;
  gate: GateResult | null;
  /** The entries that were confirmed. Only they are scored, and indices in `results` are indices of these. */
  scored: Vulnerability[];
  blue: BlueOutcome | null;
  /** What Blue reports on the clean twin; null when it did not look at it. */
  blueOnTwin: BlueOutcome | null;
  /** How long Blue took for both looks; null when it did not end. */
  blueSeconds: number | null;
  /** Addresses of all resources in the twin; null when Blue did not look at it. */
  twinResources: string[] | null;
  /** For each finding on the twin: the value that only evaluation finds, if it is about one. */
  unresolved: (UnresolvedValue | null)[] | null;
  results: ScoreResults | null;
  /** What was thrown; null when the game was scored. */
  cause: unknown;
}
