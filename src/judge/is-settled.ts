/** The votes so far, by weight; `open` are the ones that could still be cast. */
export interface VoteTally {
  passed: number;
  failed: number;
  open: number;
  /** Readable votes needed before there is a verdict at all, and how many there are. */
  quorum: number;
  readable: number;
}

/**
 * Whether no further vote can change the verdict. It passes with a strict majority of the readable votes, so a tie
 * fails, and an open vote may turn out unreadable.
 */
export function isVerdictSettled({ passed, failed, open, quorum, readable }: VoteTally): boolean {
  if (readable < quorum) return false;
  return passed > failed + open || failed >= passed + open;
}

/** How many votes to buy at once: the fewest that could settle it, if they all agree with the side that leads. */
export function nextWave(tally: VoteTally, openVotes: readonly { weight: number }[]): number {
  let { passed, failed, open, readable } = tally;
  const forPass = passed > failed;
  let wave = 0;
  for (const { weight } of openVotes) {
    wave += 1;
    readable += 1;
    open -= weight;
    if (forPass) passed += weight;
    else failed += weight;
    if (isVerdictSettled({ passed, failed, open, quorum: tally.quorum, readable })) break;
  }
  return wave;
}
