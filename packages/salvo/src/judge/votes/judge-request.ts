import type { PeoplesVerdict } from '../calibration/people.ts';
import type { BallotRequest } from './cast-vote.ts';
import type { Election } from './early-stop.ts';
import type { JudgeMetadata } from './judge-metadata.ts';
import type { RecalibrationOf } from './recalibrated-verdict.ts';

/** Everything that decides a judgement. */
export interface JudgeRequest extends BallotRequest {
  /** Whether all scores that are still possible have the same consequences. When missing, the verdict alone counts. */
  isScoreSettled?: Election['isScoreSettled'];
  /** How what a judge says is to be read, by its calibration. Missing: as it says. */
  recalibrationOf?: RecalibrationOf | undefined;
  /** Of a cascade that ends with people: what they said of this trial, if they have. */
  people?: (() => Promise<PeoplesVerdict | null>) | undefined;
}

export interface Judgement {
  /** Null when too few votes could be read: the third outcome. */
  score: number | null;
  passed: boolean;
  metadata: JudgeMetadata;
}
