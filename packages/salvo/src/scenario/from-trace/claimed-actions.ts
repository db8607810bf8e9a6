import type { WrittenTool } from './recorded-tools.ts';
import { mayWrite } from './tool-effects.ts';

/** Past forms that no rule gives. */
const IRREGULAR: ReadonlyMap<string, readonly string[]> = new Map([
  ['send', ['sent']],
  ['pay', ['paid']],
  ['buy', ['bought']],
  ['set', ['set']],
  ['put', ['put']],
  ['reset', ['reset']],
  ['write', ['wrote', 'written']],
  ['make', ['made']],
  ['give', ['gave', 'given']],
  ['take', ['took', 'taken']],
]);

const VOWEL_AND_CONSONANT = /[aeiou][bdfglmnprt]$/;

/** What an answer says that was done, with the tool that would have done it. */
export function claimedActions(answer: string, tools: readonly WrittenTool[]): { tool: string; word: string }[] {
  const words = new Set(answer.toLowerCase().match(/\p{L}+/gu) ?? []);
  return tools.flatMap(({ name, effect }) => {
    if (!mayWrite(name, { effect })) return [];
    const said = wordsOfName(name)
      .flatMap(pastForms)
      .find((form) => words.has(form));
    return said === undefined ? [] : [{ tool: name, word: said }];
  });
}

/** `issue_refund` and `issueRefund`: issue, refund. */
function wordsOfName(name: string): string[] {
  const own = name.split(/__|[.:/]/).at(-1) ?? name;
  return own
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2);
}

function pastForms(verb: string): string[] {
  const irregular = IRREGULAR.get(verb);
  if (irregular) return [...irregular];
  if (verb.endsWith('e')) return [`${verb}d`];
  if (/[^aeiou]y$/.test(verb)) return [`${verb.slice(0, -1)}ied`];
  return VOWEL_AND_CONSONANT.test(verb) ? [`${verb}ed`, `${verb}${verb.at(-1)}ed`] : [`${verb}ed`];
}
