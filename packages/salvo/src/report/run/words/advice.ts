import type { ErrorGroup, ScenarioSummary } from '../../../run/record/run-document.ts';
import { shellQuote } from '../../../text/output/quote-output.ts';
import { salvoCommand } from '../../../text/output/salvo-command.ts';

/** What to do about trials that could not be scored, by the kind of their error. Null if the message says it all. */
export function errorAdvice({ code }: Pick<ErrorGroup, 'code'>, about: { runId: string; file: string }): string | null {
  const judgeAgain = `${salvoCommand()} reeval ${about.runId} judges the stored traces without calling the agent`;
  switch (code) {
    case 'ADAPTER_AUTH':
      return 'The key was refused: set a valid one (salvo adapters names the variable), then run again.';
    case 'ADAPTER_NOT_FOUND':
      return "The model or the address does not exist there: correct `model` or the adapter's address, then run again.";
    case 'ADAPTER_BAD_REQUEST':
      return 'The request was refused: change what the message names, then run again.';
    case 'ADAPTER_CONTEXT_LENGTH':
      return 'The conversation does not fit in the context of the model: make it shorter, or choose a model with a larger context, then run again.';
    case 'ADAPTER_RATE_LIMIT':
      return 'The rate limit was reached: run again with a smaller concurrency, or set `requests_per_minute` of the adapter.';
    case 'ADAPTER_OVERLOADED':
    case 'ADAPTER_SERVER':
      return 'The server failed on its side, also after retries: run again later.';
    case 'ADAPTER_CONNECTION':
      return 'Nothing answered: check that the address is right and reachable, then run again.';
    case 'ADAPTER_TIMEOUT':
      return 'No answer came in time: run again, or raise `timeout_seconds` of the adapter in salvo.yaml.';
    case 'TRIAL_TIMEOUT':
      return `The agent was not done in time: make it faster, or raise \`timeout_seconds\` in ${about.file}.`;
    case 'ADAPTER_BAD_RESPONSE':
      return 'The answer could not be read: fix the agent or the server that gives it, then run again.';
    case 'ADAPTER_SCRIPT_EXHAUSTED':
      return `The script has too few turns: add some to \`script\` in ${about.file}.`;
    case 'TRIAL_BUDGET':
      return `The budget ended them: ${salvoCommand()} run --resume ${about.runId} with a larger --budget-usd runs these trials again.`;
    case 'JUDGE_UNSCORED':
      return `The agent ran, but its judge gave no readable verdict: see the reason above; then ${judgeAgain}.`;
    case 'ASSERTION_UNSCORED':
      return `The agent ran, but this assertion could not be applied: fix it in ${about.file}; then ${judgeAgain}.`;
    case 'TOOLS_UNKNOWN':
      return `Once \`tools_seen: all\` is in ${about.file}, ${judgeAgain}. Add it only if it is true.`;
    case 'MOCK_BYPASSED':
      return `Once \`own_tools: allow\` is in ${about.file}, ${judgeAgain}.`;
    case 'NO_ASSERTIONS':
      return `Add assertions to ${about.file}; then ${judgeAgain}.`;
    default:
      return null;
  }
}

/** What to do about a crash of the agent. */
export const CRASH_ADVICE = "The agent's own code threw: fix it there, then run again. replay shows the whole stack.";

/** What to do about trials that were not run, or not judged. */
export function stoppedAdvice(stopped: NonNullable<ScenarioSummary['stopped']>, runId: string): string {
  const resume = `${salvoCommand()} run --resume ${shellQuote(runId)}`;
  switch (stopped) {
    case 'early_stop':
      return 'stopped early, as the outcome could no longer change; the pass rate is rough';
    case 'equal_crashes':
      return 'stopped, because the agent crashed alike in the first ones; fix it, then run again';
    case 'mock_bypassed':
      return 'stopped, because the agent used tools of its own instead of the mocks; fix it, then run again';
    case 'budget':
      return `stopped by the budget; ${resume} runs the rest, as far as its budget allows`;
    case 'provider':
      return `stopped, because no request can succeed; once that is fixed, ${resume} runs the rest`;
    case 'interrupted':
      return `interrupted; ${resume} runs the rest`;
  }
}
