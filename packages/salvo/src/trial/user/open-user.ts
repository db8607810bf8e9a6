import type { WorkClock } from '../../adapters/call/work-clock.ts';
import { defaultMaxTokens } from '../../judge/judge-config.ts';
import type { CallBudget } from '../../models/budget/budget.ts';
import type { ModelCaller } from '../../models/call/model-caller.ts';
import type { VoteCache } from '../../models/call/vote-cache.ts';
import type { ProjectUser } from '../../scenario/schema/project-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { modelUser } from './model-user.ts';
import { modelsOfUser } from './resolve-user.ts';
import { scriptedUser } from './scripted-user.ts';
import { TrialUser, type UserVoice } from './trial-user.ts';

/** What users that models play are asked with. */
export interface UserServices {
  models: ModelCaller | undefined;
  cache: VoteCache | null | undefined;
  config: ProjectUser;
}

interface UserTrial {
  caseName: string | null;
  trialNumber: number;
  seed: number;
  budget: CallBudget;
  clock: WorkClock;
}

/** The user of one trial. `asStopped` makes the error that ends the trial of one that the user met. */
export function openUser(
  scenario: Scenario,
  trial: UserTrial,
  services: UserServices | undefined,
  asStopped: (error: unknown) => unknown,
): TrialUser | undefined {
  const { user } = scenario;
  if (!user) return undefined;
  const voice = user.script ? scriptedUser(user.script) : voiceOf(scenario, trial, services);
  // The user's time is not the agent's.
  const next: UserVoice['next'] = (said) =>
    trial.clock.whileWaiting(() => voice.next(said)).catch((error: unknown) => Promise.reject(asStopped(error)));
  const asksHowItEnded = scenario.assertions.some(({ type }) => type === 'conversation_ended');
  const mustEnd = !user.script && user.check !== false && !asksHowItEnded;
  return new TrialUser({ next, facts: () => voice.facts() }, { maxMessages: user.max_messages, mustEnd });
}

function voiceOf(scenario: Scenario, trial: UserTrial, services: UserServices | undefined): UserVoice {
  const { user } = scenario;
  const [playing, checking = null] = modelsOfUser(scenario);
  if (!user || !playing || !services?.models) {
    throw new SalvoError('MODEL_MISSING', 'The simulated user has no model here: give it a script.');
  }
  const { temperature, max_tokens, timeout_seconds: timeoutSeconds } = services.config;
  const maxTokens = max_tokens ?? defaultMaxTokens(playing.model);
  const model = { ...playing, temperature, maxTokens, timeoutSeconds, checkedBy: checking };
  const { caseName, trialNumber, seed, budget, clock } = trial;
  const said = (scenario.messages ?? []).flatMap(({ content }) => content ?? []);
  return modelUser({
    ...{ user, model, models: services.models, cache: services.cache, budget, seed, trialNumber },
    prompt: [scenario.prompt ?? '', ...said].join('\n'),
    subject: JSON.stringify([scenario.name, caseName, trialNumber]),
    signal: clock.signal,
  });
}
