import { valuesIn } from '../../scenario/from-trace/known-values.ts';
import type { OperatorName } from '../../scenario/schema/shared-fields.ts';
import { withAnswer } from '../edit-trace.ts';
import type { AnswerFact, FactKind } from '../facts.ts';
import { type Operator, type Site, sitesOr, skip } from '../mutant.ts';
import type { Subject } from '../subject.ts';
import { withOtherWords } from '../texts/whole-words.ts';
import { OPPOSITES } from './answer-texts.ts';
import { otherDate, otherName, otherNumber, otherText } from './other-values.ts';

const NOT_SHARED = 'another passing answer of the case does not say it';

/** An operator that replaces facts of one kind by others that nobody said. */
function replacing(
  { name, kind, what }: { name: OperatorName; kind: FactKind; what: string },
  other: (text: string, subject: Subject) => string | null,
): Operator {
  return {
    name,
    must: 'fail',
    change: `${what} in the answer is replaced by another one.`,
    why: 'A tool or the user said it, every passing answer of the case repeats it, and nobody said the other one: the answer is wrong.',
    sites(subject) {
      const problem = subject.answerProblem();
      if (problem !== null) return skip(problem);
      const facts = subject.facts().filter((fact) => fact.kind === kind);
      const sites = facts.flatMap((fact): Site[] => {
        const value = fact.isShared ? other(fact.text, subject) : null;
        return value === null ? [] : [replacement(subject, fact, value)];
      });
      const none = `the answer repeats no ${kind} that a tool or the user said`;
      return sitesOr(sites, facts.some(({ isShared }) => !isShared) ? NOT_SHARED : none);
    },
  };
}

function replacement({ trace, answer }: Subject, { text }: AnswerFact, other: string): Site {
  return {
    label: text,
    note: `the answer says ${other} instead of ${text}`,
    make: () => ({ trace: withAnswer(trace, withoutValue(answer, text, other)) }),
  };
}

/** All spellings of a value: 49.90 and 49.9. */
function withoutValue(answer: string, text: string, other: string): string {
  const [value] = valuesIn(text);
  const spellings = value ? valuesIn(answer).filter(({ key }) => key === value.key) : [];
  let changed = withOtherWords(answer, text, other);
  for (const spelling of spellings) changed = withOtherWords(changed, spelling.text, other);
  // The first spelling hides later ones of the same value.
  const left = value && valuesIn(changed).find(({ key }) => key === value.key);
  return left ? withOtherWords(changed, left.text, other) : changed;
}

export const REPLACED_FACTS: readonly Operator[] = [
  replacing({ name: 'number_replaced', kind: 'number', what: 'A number' }, otherNumber),
  replacing({ name: 'date_replaced', kind: 'date', what: 'A date' }, otherDate),
  replacing({ name: 'id_replaced', kind: 'id', what: 'An id' }, otherText),
  replacing({ name: 'name_replaced', kind: 'name', what: 'A name' }, (_, subject) => otherName(subject)),
  {
    ...replacing({ name: 'result_contradicted', kind: 'status', what: 'What a tool said' }, (text, { answer }) => {
      const opposite = OPPOSITES.get(text);
      return opposite === undefined || answer.toLowerCase().includes(opposite) ? null : opposite;
    }),
    change: 'The answer says the opposite of what a tool said, such as lost instead of delivered.',
    why: 'A field of a result has this word, every passing answer of the case repeats it, and the other word means the opposite.',
  },
];
