import { canonicalJson } from '../../text/json/canonical-json.ts';
import { contentOf, movedCalls, withAnswer, withCallAfter, withCalls } from '../edit-trace.ts';
import { type Operator, type Site, sitesOr, skip } from '../mutant.ts';
import type { Subject } from '../subject.ts';
import { demandsForm, isEnglish, isProse, sentencesOf } from '../texts/prose.ts';
import { hasWords, withOtherWords } from '../texts/whole-words.ts';
import { POLITE, SYNONYMS } from './answer-texts.ts';
import { dependenceOf, NO_CALLS_KNOWN, NO_READ } from './known-from.ts';

const EXTRA_READ: Operator = {
  name: 'extra_read',
  must: 'pass',
  change: 'Something is looked up a second time, in the same turn.',
  why: 'A call of a tool with `effect: read` changes nothing, and its result is the same.',
  sites(subject) {
    if (!subject.callsAreKnown) return skip(NO_CALLS_KNOWN);
    const sites = subject.done('read').flatMap((index): Site[] => {
      const call = subject.trace.tool_calls_made[index];
      if (!call) return [];
      return [
        {
          label: call.name,
          note: `${call.name} is called a second time with the same arguments`,
          make: () => ({ trace: withCallAfter(subject.trace, index, contentOf(call)), changesCalls: true }),
        },
      ];
    });
    return sitesOr(sites, NO_READ);
  },
};

const READS_REORDERED: Operator = {
  name: 'reads_reordered',
  must: 'pass',
  change: 'Two things that are looked up one after the other are looked up in the other order.',
  why: 'Both tools have `effect: read`, and no argument of the second is known from the first: the order changes nothing.',
  sites(subject) {
    if (!subject.callsAreKnown) return skip(NO_CALLS_KNOWN);
    const calls = subject.trace.tool_calls_made;
    const reads = new Set(subject.done('read'));
    const sites = [...reads].flatMap((index): Site[] => {
      const [first, second] = [calls[index], calls[index + 1]];
      if (!first || !second || !reads.has(index + 1) || dependenceOf(subject, index + 1)?.on === index) return [];
      if (canonicalJson([first.name, first.arguments]) === canonicalJson([second.name, second.arguments])) return [];
      if (isUserBetween(subject, first.id, second.id)) return [];
      return [
        {
          label: `${second.name} before ${first.name}`,
          note: `${second.name} is called before ${first.name}`,
          make: () => ({
            trace: withCalls(subject.trace, movedCalls(subject.trace, index + 1, index)),
            changesCalls: true,
          }),
        },
      ];
    });
    return sitesOr(sites, 'no two lookups in a row that do not depend on each other');
  },
};

function isUserBetween({ trace }: Subject, first: string, second: string): boolean {
  const placeOf = (id: string) =>
    trace.messages.findIndex(
      (message) => message.role === 'assistant' && message.tool_calls.some((call) => call.id === id),
    );
  return trace.messages.slice(placeOf(first), placeOf(second)).some(({ role }) => role === 'user');
}

/** Why another wording of the answer may be wrong; null if it is not. */
function wordingProblem({ answer, userTexts, systemTexts, scenario }: Subject): string | null {
  if (!isProse(answer)) return 'the answer is no prose';
  const demands = demandsForm([...userTexts, ...systemTexts]);
  const isData = scenario.assertions.some(({ type }) => type === 'output_json');
  return demands || isData ? 'the task may demand a form of the answer' : null;
}

/** A must-pass operator that words the answer otherwise. `change` returns null if there is nothing to change. */
function rewording(
  about: Pick<Operator, 'name' | 'change' | 'why'> & { note: string; none: string },
  change: (answer: string, subject: Subject) => string | null,
): Operator {
  const { note, none, ...rest } = about;
  return {
    ...rest,
    must: 'pass',
    sites(subject) {
      const problem = wordingProblem(subject);
      if (problem !== null) return skip(problem);
      const changed = change(subject.answer, subject);
      if (changed === null || changed === subject.answer) return skip(none);
      return [{ label: 'answer', note, make: () => ({ trace: withAnswer(subject.trace, changed) }) }];
    },
  };
}

/** 49.9 as 49.90, and 49.90 as 49.9; null if it is no number with decimals. */
function otherForm(text: string): string | null {
  const [, whole = '', decimals = ''] = /^(\d+)\.(\d{1,2})$/.exec(text) ?? [];
  if (whole === '') return null;
  if (decimals.length === 1) return `${text}0`;
  return decimals.endsWith('0') ? text.slice(0, -1) : null;
}

const NUMBER_FORM = rewording(
  {
    name: 'number_form',
    change: 'An amount is written with another number of zeros at its end: 49.9 as 49.90.',
    why: 'A tool or the user said the number: both are the same amount.',
    note: 'an amount is written with another number of zeros',
    none: 'the answer has no number with decimals that a tool or the user said',
  },
  (answer, subject) => {
    const fact = subject.facts().find(({ kind, text }) => kind === 'number' && otherForm(text) !== null);
    return fact ? withOtherWords(answer, fact.text, otherForm(fact.text) ?? fact.text) : null;
  },
);

const WHITE_SPACE = rewording(
  {
    name: 'white_space',
    change: 'Sentences of the answer are separate paragraphs, with empty lines around them.',
    why: 'White space between sentences means nothing. Only where nothing demands a form of the answer.',
    note: 'every sentence is a paragraph of its own',
    none: 'the answer is one sentence',
  },
  (answer) => {
    const sentences = sentencesOf(answer.trim());
    return sentences.length < 2 ? null : `${sentences.join('\n\n')}\n`;
  },
);

const MARKDOWN = rewording(
  {
    name: 'markdown',
    change: 'The first sentence of the answer is bold, and the others are a list.',
    why: 'Markdown changes how the answer looks, and not what it says. Only where nothing demands a form of the answer.',
    note: 'the first sentence is bold, the others are a list',
    none: 'the answer has Markdown already',
  },
  (answer) => {
    if (/[*#`|]/.test(answer)) return null;
    const [first = '', ...others] = sentencesOf(answer.trim());
    return [`**${first}**`, ...others.map((sentence) => `- ${sentence}`)].join('\n');
  },
);

const SYNONYM = rewording(
  {
    name: 'synonyms',
    change: 'Words that frame the answer are replaced by others of the same meaning, such as Sure by Of course.',
    why: 'The words say nothing about the case: neither a tool nor the user used them.',
    note: 'words that frame the answer are replaced',
    none: 'the answer has none of the framing words that have a synonym here',
  },
  (answer, { userTexts, trace }) => {
    const said = [...userTexts, ...trace.tool_calls_made.map(({ result }) => result ?? '')];
    const [pair] = SYNONYMS.filter(
      ([word]) => hasWords(answer, word) && !said.some((text) => hasWords(text.toLowerCase(), word.toLowerCase())),
    );
    return pair ? withOtherWords(answer, pair[0], pair[1]) : null;
  },
);

const POLITER = rewording(
  {
    name: 'politer',
    change: 'The answer ends with a polite sentence.',
    why: 'An offer of further help takes nothing back. Only where nothing demands a form of the answer.',
    note: 'the answer ends with a polite sentence',
    none: 'the answer is not English',
  },
  (answer) => (isEnglish(answer) ? `${answer.trimEnd()} ${POLITE}` : null),
);

export const HARMLESS: readonly Operator[] = [
  ...[EXTRA_READ, READS_REORDERED, NUMBER_FORM, WHITE_SPACE, MARKDOWN, SYNONYM, POLITER],
];
