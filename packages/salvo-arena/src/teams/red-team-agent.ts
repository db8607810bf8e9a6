import { type OwnCode, readOwnCode } from '../code/own-code.ts';
import type { CodeLanguage } from '../iac/syntax/code-block.ts';
import { createMutationRed } from '../red/mutation/create-mutation-red.ts';
import { usableLanguage } from '../red/mutation/own/own-code-use.ts';
import type { RedOutcome, RedRequest, RedTeam } from '../red/red-team.ts';
import { RedTeamError } from '../red/red-team-error.ts';
import { DIFFICULTIES, LANGUAGES, STRATEGIES } from '../tasks/game-settings.ts';
import { createRed, type RedContext } from './create-team.ts';

/** `mutation` needs no model, and what it claims is true by construction. `llm` needs the name of a model. */
export type RedTeamOptions = { red?: 'mutation' | undefined } | ({ red: 'llm'; model: string } & RedContext);

/** Everything but the task has a default. */
export interface RedTeamRequest extends Partial<Omit<RedRequest, 'template'>> {
  /** A sentence or the id of a task; only code of your own says itself what it is for. */
  task?: string;
  /** A folder or git address of code of your own, in which flaws are planted; or what `readOwnCode` returned. */
  template?: string | OwnCode | undefined;
}

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
    async generate({ template, ...request }) {
      if (template !== undefined && options.red === 'llm')
        throw refused('A model writes its own code: leave out "template".');
      const own = template === undefined ? {} : await ownRequest(template, request.language);
      const whole = { ...DEFAULTS, ...own, ...withoutUndefined(request) };
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

function withoutUndefined<T extends object>(request: T): Partial<T> {
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<T>;
}

/** What code of the user says itself. */
async function ownRequest(template: string | OwnCode, language: CodeLanguage | undefined) {
  const code = typeof template === 'string' ? await readOwnCode(template) : template;
  return { template: code, task: code.task, language: await usableLanguage(code, language) };
}

/** Types refuse these already, but a request may come from plain JavaScript or from a file. */
function checkRequest(request: Partial<RedRequest>): asserts request is RedRequest {
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
