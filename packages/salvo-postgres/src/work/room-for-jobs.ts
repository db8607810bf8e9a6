import { MOST_ATTEMPTS } from 'salvo/kit/queue';

/**
 * How many jobs a worker takes, and which of them begin. A job that kills its process takes all others there with it. Of two jobs that were lost twice, one may be the killer
 * and the other beside it both times. So nothing else is under way during the last attempt at a job.
 */
export function createRoomForJobs() {
  let isAlone = false;
  /** A last attempt should begin as soon as nothing else is under way. */
  let isAloneNext = false;
  return {
    /** How many may be taken while so many are under way. `most`: how many a worker may have. */
    free(underWay: number, most: number): number {
      if (underWay === 0) {
        const wanted = isAloneNext ? 1 : most;
        isAlone = false;
        isAloneNext = false;
        return wanted;
      }
      return isAlone || isAloneNext ? 0 : most - underWay;
    },
    /** Whether a job that was taken begins. Otherwise it is given back. */
    mayBegin(attempt: number, underWay: number): boolean {
      const isLast = attempt >= MOST_ATTEMPTS;
      if (underWay === 0) isAlone = isLast;
      else if (isLast) isAloneNext = true;
      return underWay === 0 || !(isLast || isAlone);
    },
  };
}
