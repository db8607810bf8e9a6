import type { BlueTeam } from '../blue/blue-team.ts';
import type { GateResult } from '../gate/gate-result.ts';
import type { Vulnerability } from '../match/claims/vulnerability.ts';
import type { JudgeAgent } from '../match/judge-agent.ts';
import type { RedRequest, RedTeam } from '../red/red-team.ts';
import type { GameEvent } from './played-game.ts';

/** Checks what a Red claims: `checkManifest` with a checker of choice. */
export type ManifestGate = (code: {
  files: Record<string, string>;
  vulnerabilities: Vulnerability[];
}) => Promise<GateResult>;

export interface GameSetup extends Omit<RedRequest, 'provider'> {
  red: RedTeam;
  blue: BlueTeam;
  /** Not used for a Red whose entries are true by construction. */
  gate: ManifestGate;
  judge: Pick<JudgeAgent, 'scoreAsync'>;
  /** Whether Blue also looks at the clean twin, if there is one (default: yes). */
  onTwin?: boolean | undefined;
  /** False if Blue may answer differently each time, such as a model. */
  repeatable?: boolean | undefined;
  /** The game's place in an experiment. The id of a game that is played alone is made from its content. */
  place?: GamePlace | undefined;
  onStage?: ((event: GameEvent) => void) | undefined;
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined;
}

export interface GamePlace {
  gameId: string;
  experimentId: string;
  codeKey: string;
  repetition: number;
  /** From 0, if Blue looks at the same code several times. */
  run?: number | undefined;
}
