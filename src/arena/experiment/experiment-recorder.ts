import type { Game } from '../game/game-document.ts';
import type { RedOutcome } from '../red/red-team.ts';
import type { ExperimentRecord } from './experiment-record.ts';

/** What an experiment needs of a store. A promise resolves only when its data would survive a kill of the process. */
export interface ExperimentRecorder {
  /** Replaces the record with the same id. */
  saveExperiment(experiment: ExperimentRecord): Promise<void>;
  /**
   * The same, unless `refuse` throws on the stored record. No other write happens between the read and the write: of
   * two processes that claim the same experiment, one is refused.
   */
  claimExperiment(experiment: ExperimentRecord, refuse: (stored: ExperimentRecord) => void): Promise<void>;
  getExperiment(experimentId: string): Promise<ExperimentRecord | null>;
  /** Replaces the game with the same id. */
  saveGame(game: Game): Promise<void>;
  /** In order of their ids, read as they are consumed. */
  games(experimentId: string): AsyncIterable<Game>;
  /** Keeps code that was paid for. Resolves to false when the code must not be stored unredacted. */
  saveCode(experimentId: string, codeKey: string, outcome: RedOutcome): Promise<boolean>;
  getCode(experimentId: string, codeKey: string): Promise<RedOutcome | null>;
}
