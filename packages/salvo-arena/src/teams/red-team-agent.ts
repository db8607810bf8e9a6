import { createMutationRed } from '../red/mutation/create-mutation-red.ts';
import type { RedOutcome, RedRequest, RedTeam } from '../red/red-team.ts';
import { RedTeamError } from '../red/red-team-error.ts';
import { DIFFICULTIES, LANGUAGES, STRATEGIES } from '../tasks/game-settings.ts';
import { createRed, type RedContext } from './create-team.ts';

/** `mutation` needs no model, and what it claims is true by construction. `llm` needs the name of a model. */
export type RedTeamOptions = { red?: 'mutation' | undefined } | ({ red: 'llm'; model: string } & RedContext);

/** Everything but the task has a default. */
export type RedTeamRequest = Pick<RedRequest, 'task'> & Partial<RedRequest>;

export interface RedTeamAgent extends RedTeam {
  generate(request: RedTeamRequest): Promise<RedOutcome>;
}

/**
 * The Red Team of a game.
 *
 *     const { files, vulnerabilities } = await createRedTeamAgent().generate({ task: 'tamper-proof-archive' });
 */
export function createRedTeamAgent(options: RedTeamOptions = {}): RedTeamAgent {
  const team = options.red === 'llm' ? createModelRed(options) : createMutationRed();
  return {
    name: team.name,
    async generate(request) {
      const whole = { ...DEFAULTS, ...withoutUndefined(request) };
      checkRequest(whole);
      return team.generate(whole);
    },
  };
}

function createModelRed({ model, adapter, ...context }: Extract<RedTeamOptions, { red: 'llm' }>): RedTeam {
  return createRed(adapter === undefined ? `llm:${model}` : { kind: 'llm', adapter, model }, context);
}

const DEFAULTS = {
  difficulty: 'medium',
  language: 'terraform',
  provider: 'aws',
  seed: 0,
  strategy: 'balanced',
} as const;

const CHOICES = {
  difficulty: DIFFICULTIES,
  language: LANGUAGES,
  provider: ['aws'],
  strategy: STRATEGIES,
} as const satisfies Partial<Record<keyof RedRequest, readonly string[]>>;

function withoutUndefined({ task, ...others }: RedTeamRequest): RedTeamRequest {
  return { task, ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)) };
}

/** Types refuse these already, but a request may come from plain JavaScript or from a file. */
function checkRequest(request: RedRequest): void {
  for (const [name, known] of Object.entries(CHOICES)) {
    const given: unknown = Reflect.get(request, name);
    if (known.some((one) => one === given)) continue;
    throw refused(
      `There is no ${name} ${JSON.stringify(given)}: known ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}.`,
    );
  }
  if (typeof request.task !== 'string') {
    throw refused('A game needs a task: a sentence, or the id of a task in the catalogue.');
  }
  if (!Number.isSafeInteger(request.seed)) throw refused(`The seed must be a whole number, and is ${request.seed}.`);
}

function refused(message: string): RedTeamError {
  return new RedTeamError('OPTIONS_INVALID', message);
}
