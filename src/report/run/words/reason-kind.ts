/** What an agent answered, at the end of what Salvo says about an assertion that failed. */
const ANSWER = /(?:[:;] got | gave \S+ for (?=")).*$/s;

/** The same for reasons that differ only in the answer that the agent gave: such failures are shown together. */
export function reasonKind(reason: string): string {
  return reason.replace(ANSWER, '');
}
