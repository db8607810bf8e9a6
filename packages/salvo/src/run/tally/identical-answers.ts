/** Compares every answer with the first one, so that memory does not grow with the trials. */
export function createIdenticalAnswers() {
  let first: string | null = null;
  let count = 0;
  let mayBeIdentical = true;
  return {
    /** Null or undefined: the answer is unknown. */
    add(answerHash: string | null | undefined): void {
      count += 1;
      first ??= answerHash ?? null;
      if (first === null || answerHash !== first) mayBeIdentical = false;
    },
    /** Whether there were two or more answers, all known, and all the same. */
    areIdentical: () => mayBeIdentical && count >= 2,
  };
}
