import type { ErrorGroup, ScenarioSummary } from '../../../run/record/run-document.ts';
import { shellQuote } from '../../../text/output/quote-output.ts';
import { salvoCommand } from '../../../text/output/salvo-command.ts';

/** What advice may name: the file of the scenario, its run, and how to judge its traces again. */
interface About {
  runId: string;
  file: string;
  judgeAgain: string;
}

const ADVICE: Readonly<Record<string, string | ((about: About) => string)>> = {
  ADAPTER_AUTH: 'The key was refused: set a valid one (salvo adapters names the variable), then run again.',
  ADAPTER_NOT_FOUND:
    "The model or the address does not exist there: correct `model` or the adapter's address, then run again.",
  ADAPTER_BAD_REQUEST: 'The request was refused: change what the message names, then run again.',
  ADAPTER_CONTEXT_LENGTH:
    'The conversation does not fit in the context of the model: make it shorter, or choose a model with a larger context, then run again.',
  ADAPTER_RATE_LIMIT:
    'The rate limit was reached: run again with a smaller concurrency, or set `requests_per_minute` of the adapter.',
  ADAPTER_OVERLOADED: 'The server failed on its side, also after retries: run again later.',
  ADAPTER_SERVER: 'The server failed on its side, also after retries: run again later.',
  ADAPTER_CONNECTION: 'Nothing answered: check that the address is right and reachable, then run again.',
  ADAPTER_TIMEOUT: 'No answer came in time: run again, or raise `timeout_seconds` of the adapter in salvo.yaml.',
  TRIAL_TIMEOUT: ({ file }) =>
    `The agent was not done in time: make it faster, or raise \`timeout_seconds\` in ${file}.`,
  ADAPTER_BAD_RESPONSE: 'The answer could not be read: fix the agent or the server that gives it, then run again.',
  ADAPTER_SCRIPT_EXHAUSTED: ({ file }) => `The script has too few turns: add some to \`script\` in ${file}.`,
  TRIAL_BUDGET: ({ runId }) =>
    `The budget ended them: ${salvoCommand()} run --resume ${runId} with a larger --budget-usd runs these trials again.`,
  JUDGE_UNSCORED: ({ judgeAgain }) =>
    `The agent ran, but its judge gave no readable verdict: see the reason above; then ${judgeAgain}.`,
  JUDGE_WAITS_FOR_PEOPLE: ({ runId }) =>
    `No judge was sure of them: label them in ${salvoCommand()} view, under Labels; then ${salvoCommand()} reeval ${runId} counts what people decided.`,
  ASSERTION_UNSCORED: ({ file, judgeAgain }) =>
    `The agent ran, but this assertion could not be applied: fix it in ${file}; then ${judgeAgain}.`,
  COMMAND_NOT_RUN:
    'The agent ran, but the command of this assertion did not: see the reason above; then run again, as its workspace is gone.',
  TOOLS_UNKNOWN: ({ file, judgeAgain }) =>
    `Once \`tools_seen: all\` is in ${file}, ${judgeAgain}. Add it only if it is true.`,
  MOCK_BYPASSED: ({ file, judgeAgain }) => `Once \`own_tools: allow\` is in ${file}, ${judgeAgain}.`,
  USER_BROKE_ROLE: ({ file, runId }) =>
    `The model that plays the user is at fault, and not the agent: make goal and facts of \`user\` in ${file} clearer, or choose another model with --user; ${salvoCommand()} run --resume ${runId} runs these trials again.`,
  NO_ASSERTIONS: ({ file, judgeAgain }) =>
    `Add assertions to ${file}; then ${judgeAgain}. To look at the answers alone, run with --look.`,
};

/** What to do about trials that could not be scored, by the kind of their error. Null if the message says it all. */
export function errorAdvice({ code = '' }: Pick<ErrorGroup, 'code'>, about: Omit<About, 'judgeAgain'>): string | null {
  const advice = ADVICE[code] ?? null;
  if (typeof advice !== 'function') return advice;
  const judgeAgain = `${salvoCommand()} reeval ${about.runId} judges the stored traces without calling the agent`;
  return advice({ ...about, judgeAgain });
}

/** What to do about a crash of the agent. */
export const CRASH_ADVICE = "The agent's own code threw: fix it there, then run again. replay shows the whole stack.";

const STOPPED: Record<NonNullable<ScenarioSummary['stopped']>, (resume: string) => string> = {
  early_stop: () => 'stopped early, as the outcome could no longer change; the pass rate is rough',
  decided: () => 'stopped, as the comparison with the baseline needs no more of them',
  undecided: (resume) => `stopped by the budget before the comparison was decided; ${resume} goes on`,
  equal_crashes: () => 'stopped, because the agent crashed alike in the first ones; fix it, then run again',
  mock_bypassed: () => 'stopped, because the agent used tools of its own instead of the mocks; fix it, then run again',
  budget: (resume) => `stopped by the budget; ${resume} runs the rest, as far as its budget allows`,
  provider: (resume) => `stopped, because no request can succeed; once that is fixed, ${resume} runs the rest`,
  interrupted: (resume) => `interrupted; ${resume} runs the rest`,
};

/** What to do about trials that were not run, or not judged. */
export function stoppedAdvice(stopped: NonNullable<ScenarioSummary['stopped']>, runId: string): string {
  return STOPPED[stopped](`${salvoCommand()} run --resume ${shellQuote(runId)}`);
}
