import { registeredAdapters } from '../../../adapters/registered-adapters.ts';
import { didYouMean } from '../../../text/did-you-mean.ts';
import { SalvoError } from '../../../text/salvo-error.ts';
import { parseBlueName } from '../../blue/blue-name.ts';

/** Why a name means no Red or no Blue; null when it does mean one. */
export function teamProblem(side: 'red' | 'blue', name: string, adapters: readonly string[]): string | null {
  if (side === 'red') {
    if (name === 'mutation') return null;
    if (!name.startsWith('llm:')) {
      const meant = didYouMean(name, ['mutation']) ? '. Did you mean "mutation"?' : '';
      return `there is no Red Team "${name.slice(0, 100)}": known are mutation, llm:MODEL and llm:ADAPTER/MODEL${meant}`;
    }
  }
  try {
    parseBlueName(name, { adapters: [...registeredAdapters.keys(), ...adapters] });
    return null;
  } catch (error) {
    if (error instanceof SalvoError) return error.message;
    throw error;
  }
}
