import { DIFFICULTIES } from '../difficulty.ts';
import { STRATEGIES } from '../strategy.ts';
import type { RedRequest } from './red-team.ts';
import { RedTeamError } from './red-team-error.ts';

const CHOICES = {
  difficulty: DIFFICULTIES,
  language: ['terraform', 'cloudformation'],
  provider: ['aws'],
  strategy: STRATEGIES,
} as const satisfies Partial<Record<keyof RedRequest, readonly string[]>>;

/** Refuses what types would have refused: a request may come from JavaScript, or from a file. */
export function checkRedRequest(request: RedRequest): void {
  for (const [name, known] of Object.entries(CHOICES)) {
    const given: unknown = Reflect.get(request, name);
    if (known.some((one) => one === given)) continue;
    throw refused(
      `There is no ${name} ${JSON.stringify(given)}: known ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}.`,
    );
  }
  if (typeof request.scenario !== 'string') {
    throw refused('A game needs a scenario: a sentence, or the id of a task.');
  }
  if (!Number.isSafeInteger(request.seed)) throw refused(`The seed has to be a whole number, and is ${request.seed}.`);
}

function refused(message: string): RedTeamError {
  return new RedTeamError('RED_OPTIONS', message);
}
