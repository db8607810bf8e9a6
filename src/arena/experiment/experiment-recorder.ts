import type { Game } from '../game/game-document.ts';
import type { RedOutcome } from '../red/red-team.ts';
import type { ExperimentRecord } from './experiment-record.ts';

/** What an experiment needs of a store. Each promise is kept only when what it promises would survive a kill. */
export interface ExperimentRecorder {
  /** Replaces the record with the same id. */
  saveExperiment(experiment: ExperimentRecord): Promise<void>;
  /**
   * The same, unless `refuse` throws on what is stored. Nobody writes between the look and the write, so that of two
   * processes that want the same experiment one is refused.
   */
  claimExperiment(experiment: ExperimentRecord, refuse: (stored: ExperimentRecord) => void): Promise<void>;
  getExperiment(experimentId: string): Promise<ExperimentRecord | null>;
  /** Replaces the game with the same id. */
  saveGame(game: Game): Promise<void>;
  /** In order of their ids, read as they are consumed. */
  games(experimentId: string): AsyncIterable<Game>;
  /** Keeps code that was paid for. False when it may not be stored as it is. */
  saveCode(experimentId: string, codeKey: string, outcome: RedOutcome): Promise<boolean>;
  getCode(experimentId: string, codeKey: string): Promise<RedOutcome | null>;
}
