import type { Game } from './game-document.ts';

export type GameStage = NonNullable<Game['failed_stage']>;

/** What happens in a game, as it happens: for whoever watches. */
export type GameEvent =
  | { type: 'stage_started'; stage: GameStage }
  | { type: 'stage_failed'; stage: GameStage; message: string }
  | { type: 'red_finished'; files: number; vulnerabilities: number; template: string | null }
  | { type: 'gate_finished'; confirmed: number; phantoms: number; unchecked: number }
  | { type: 'blue_finished'; findings: number }
  | { type: 'judge_finished'; found: number; vulnerabilities: number };
