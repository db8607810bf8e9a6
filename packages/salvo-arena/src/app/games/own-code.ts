import { SalvoError } from 'salvo/kit/text';
import type { OwnCode } from '../../code/own-code.ts';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { RedTeam } from '../../red/red-team.ts';
import { asksModel } from '../../teams/team-name.ts';

/** Code of the user that flaws can be planted in, and its language. */
export interface UsableCode {
  template: OwnCode;
  language: CodeLanguage;
}

/**
 * The code that `template` means, and its language; null if none is given. Throws if no flaw is possible in it, or if
 * Red asks a model, which writes its own code.
 */
export async function openOwnCode(
  { template, language }: { template?: string | OwnCode | undefined; language?: CodeLanguage | undefined },
  place: {
    red: string | RedTeam;
    cwd: string;
    env: Record<string, string | undefined>;
    signal?: AbortSignal | undefined;
  },
): Promise<UsableCode | null> {
  if (template === undefined) return null;
  if (typeof place.red === 'string' && asksModel(place.red)) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      `{option:template} is for the Red "mutation": ${place.red} writes its own code.`,
    );
  }
  const { readOwnCode } = await import('../../code/own-code.ts');
  const { usableLanguage } = await import('../../red/mutation/own/own-code-use.ts');
  const code = typeof template === 'string' ? await readOwnCode(template, place) : template;
  return { template: code, language: await usableLanguage(code, language) };
}
