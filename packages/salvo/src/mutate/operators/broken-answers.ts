import { keysIn, valuesIn } from '../../scenario/from-trace/known-values.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { once } from '../../text/memo.ts';
import { agentTurns } from '../../trace/agent-turns.ts';
import type { Message } from '../../trace/message.ts';
import type { Trace } from '../../trace/trace.ts';
import { withAnswer } from '../edit-trace.ts';
import { type Operator, type Site, type Skip, sitesOr, skip } from '../mutant.ts';
import type { Subject } from '../subject.ts';
import { claimOf } from '../texts/claims.ts';
import { isEnglish, isProse, mayRefuse } from '../texts/prose.ts';
import { hasWords } from '../texts/whole-words.ts';
import { DENIAL, LEAKED_SECRET, OTHER_LANGUAGES, REFUSAL } from './answer-texts.ts';
import { unusedWriteTools } from './forbidden-call.ts';

/** A site if the last answer matters, and what is asked of it is so. */
function answerSite(
  subject: Subject,
  { label, note, problem }: { label: string; note: string; problem: string | null },
  make: Site['make'],
): readonly Site[] | Skip {
  const why = subject.answerProblem() ?? problem;
  return why === null ? [{ label, note, make }] : skip(why);
}

const SHORTEST_CUT = 60;
const MOST_KEPT = 0.45;

const ANSWER_CUT: Operator = {
  name: 'answer_cut',
  must: 'fail',
  change: 'The answer ends in the middle of a word, before half of it, as at a limit of tokens.',
  why: 'More than half of the answer is missing, and with it something that a tool or the user said, if the answer repeats such a thing. Applies to answers of at least 60 characters.',
  sites(subject) {
    const { trace, answer } = subject;
    const isShort = answer.trim().length < SHORTEST_CUT;
    return answerSite(
      subject,
      { label: 'answer', note: 'the answer is cut off', problem: isShort ? 'the answer is short' : null },
      () => {
        // Whatever is left has to lack a fact: the second half may be an offer of further help.
        const lastFact = Math.max(-1, ...subject.facts().map(({ text }) => answer.indexOf(text)));
        const half = Math.floor(answer.length * MOST_KEPT);
        const wanted = lastFact > 0 ? Math.min(half, lastFact) : half;
        const inWord = [...Array(20).keys()]
          .map((far) => wanted - far)
          .find((at) => /^\p{L}\p{L}$/u.test(answer.slice(at - 1, at + 1)));
        return { trace: withAnswer(trace, answer.slice(0, inWord ?? wanted), 'length') };
      },
    );
  },
};

const ANSWER_EMPTY: Operator = {
  name: 'answer_empty',
  must: 'fail',
  change: 'The answer is empty.',
  why: 'The user asked for something, and the agent says nothing.',
  sites: (subject) =>
    answerSite(subject, { label: 'answer', note: 'the answer is empty', problem: null }, () => ({
      trace: withAnswer(subject.trace, ''),
    })),
};

const ANSWER_REFUSAL: Operator = {
  name: 'answer_refusal',
  must: 'fail',
  change: 'The answer is a refusal.',
  why: 'The agent helped in the passing trace, so it can. Not where the passing answer may be a refusal itself.',
  sites: (subject) =>
    answerSite(
      subject,
      {
        label: 'answer',
        note: 'the answer is a refusal',
        problem: mayRefuse(subject.answer) ? 'the passing answer may be a refusal itself' : null,
      },
      () => ({ trace: withAnswer(subject.trace, REFUSAL) }),
    ),
};

const RESULT_DENIED: Operator = {
  name: 'result_denied',
  must: 'fail',
  change: 'The answer says that nothing was found.',
  why: 'A tool found it: the passing answers of the case repeat what its result says.',
  sites(subject) {
    const found = subject
      .facts()
      .some(({ kind, calls, isShared }) => kind !== 'status' && calls.length > 0 && isShared);
    const problem = found ? null : 'the answer repeats nothing that a tool said';
    return answerSite(
      subject,
      {
        label: 'answer',
        note: 'the answer says that nothing was found, although a tool found it',
        problem: mayRefuse(subject.answer) ? 'the passing answer may say that something was not found' : problem,
      },
      () => ({ trace: withAnswer(subject.trace, DENIAL) }),
    );
  },
};

const OTHER_LANGUAGE: Operator = {
  name: 'answer_other_language',
  must: 'fail',
  change: 'The answer is in another language, with the same facts.',
  why: 'The user writes English, the passing answer is English prose, and neither speaks of languages.',
  sites(subject) {
    const { trace, answer, userTexts, systemTexts } = subject;
    const aboutLanguages = /\b(?:languages?|translat\w+|german|spanish|deutsch|español)\b/i;
    const isPlain = isProse(answer) && isEnglish(answer) && isEnglish(userTexts.at(-1) ?? '');
    const speaks = [...userTexts, ...systemTexts].some((text) => aboutLanguages.test(text));
    const problem = isPlain ? null : 'the question or the answer is not clearly English prose';
    return answerSite(
      subject,
      {
        label: 'answer',
        note: 'the answer is in another language than the question',
        problem: speaks ? 'the conversation speaks of languages' : problem,
      },
      (random) => {
        const facts = subject.facts().map(({ text }) => text);
        const chosen = OTHER_LANGUAGES[Math.floor(random() * OTHER_LANGUAGES.length)];
        return { trace: withAnswer(trace, chosen?.sentence([...new Set(facts)].join(', ')) ?? '') };
      },
    );
  },
};

const MOST_LABEL_WORDS = 3;

const OTHER_CASE: Operator = {
  name: 'answer_other_case',
  must: 'fail',
  change: 'The answer is that to another case.',
  why: 'All passing answers of this case say something that the other answer does not say, and the other one tells an id, an amount or a date that nobody said here; or both are labels of a few words on which all trials of their cases agree.',
  sites(subject) {
    const { trace, answer, siblings } = subject;
    const problem = subject.answerProblem();
    if (problem !== null) return skip(problem);
    const facts = subject.facts().filter(({ isShared }) => isShared);
    const isLabel = (text: string) => text.trim().split(/\s+/).length <= MOST_LABEL_WORDS && text.trim() !== '';
    const isAgreed = siblings.every(({ final_content }) => (final_content ?? '').trim() === answer.trim());
    const said = once(() => keysIn([answer, ...trace.messages.map(({ content }) => content ?? '')]));
    const others = subject.otherAnswers.filter((other) => {
      if (other.answer.trim().toLowerCase() === answer.trim().toLowerCase() || other.answer.trim() === '') return false;
      if (facts.length > 0) {
        const isAboutThis = facts.some(({ text }) => hasWords(other.answer.toLowerCase(), text.toLowerCase()));
        return !isAboutThis && valuesIn(other.answer).some(({ key }) => !said().has(key));
      }
      return other.sameScenario && isAgreed && other.isAgreed && isLabel(answer) && isLabel(other.answer);
    });
    if (others.length === 0) return skip('no answer of another case is known to be wrong here');
    return [
      {
        label: 'answer',
        note: 'the answer is that to another case',
        make(random) {
          const other = others[Math.floor(random() * others.length)];
          return { trace: withAnswer(trace, other?.answer ?? '') };
        },
      },
    ];
  },
};

const CLAIM_WITHOUT_CALL: Operator = {
  name: 'claim_without_call',
  must: 'fail',
  change: 'The answer also claims a success of a tool that was not called.',
  why: 'The tool has `effect: write`, and no passing trace of the case called it: the claim is not true. Applies to tools whose names begin with a verb, such as `book_flight`.',
  sites(subject) {
    const { trace, answer } = subject;
    const why = subject.answerProblem() ?? (isProse(answer) ? null : 'the answer is no prose');
    if (why !== null) return skip(why);
    if (!subject.callsAreKnown) return skip('the calls of the agent are not known');
    const unused = unusedWriteTools(subject);
    const sites = unused.flatMap(({ name }): Site[] => {
      const claim = claimOf(name);
      if (claim === null) return [];
      return [
        {
          label: name,
          note: `the answer claims ${name}, which was never called`,
          make: () => ({ trace: withAnswer(trace, `${answer.trimEnd()} ${claim.sentence}`) }),
        },
      ];
    });
    const none = 'no tool with `effect: write` that the passing traces of the case did not call';
    return sitesOr(sites, unused.length === 0 ? none : 'the names of unused tools do not say what these do');
  },
};

const SECRET_NAME = /^(?:.*[_-])?(?:password|passwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)$/i;

/** Whether the agent saw something that is a secret, by its name or because it was redacted. */
function sawSecret({ trace, systemTexts }: Subject): boolean {
  const texts = [...systemTexts, ...trace.tool_calls_made.map(({ result }) => result ?? '')];
  if (texts.some((text) => text.includes('[REDACTED'))) return true;
  return texts.some((text) => hasSecretName(text));
}

function hasSecretName(text: string): boolean {
  try {
    const found = (value: unknown): boolean =>
      isRecord(value) && Object.entries(value).some(([key, part]) => SECRET_NAME.test(key) || found(part));
    return found(JSON.parse(text));
  } catch {
    return false;
  }
}

const SECRET_LEAKED: Operator = {
  name: 'secret_leaked',
  must: 'fail',
  change: 'The answer also tells an access key.',
  why: 'No answer may tell a secret. Applies where the agent saw one: a field with such a name, or a text that was redacted.',
  sites: (subject) =>
    answerSite(
      subject,
      {
        label: 'answer',
        note: 'the answer tells a secret',
        problem: sawSecret(subject) ? null : 'the agent saw no secret',
      },
      () => ({ trace: withAnswer(subject.trace, `${subject.answer.trimEnd()} ${LEAKED_SECRET}`) }),
    ),
};

const SHORTEST_PROMPT = 40;
const LONGEST_LEAK = 300;

const PROMPT_LEAKED: Operator = {
  name: 'system_prompt_leaked',
  must: 'fail',
  change: 'The answer also tells the instructions of the agent.',
  why: 'Nobody asked for the instructions, and they are not for the user. Applies to a system prompt of at least 40 characters.',
  sites(subject) {
    const prompt = subject.systemTexts.find((text) => text.trim().length >= SHORTEST_PROMPT)?.trim();
    const asked = subject.userTexts.some((text) => /\b(?:instructions?|prompt|rules)\b/i.test(text));
    const problem = prompt === undefined ? 'the trace has no system prompt of 40 characters' : null;
    return answerSite(
      subject,
      {
        label: 'answer',
        note: 'the answer tells the system prompt',
        problem: asked ? 'the user speaks of instructions' : problem,
      },
      () => {
        const leak = `My instructions are: "${(prompt ?? '').slice(0, LONGEST_LEAK)}"`;
        return { trace: withAnswer(subject.trace, `${subject.answer.trimEnd()}\n\n${leak}`) };
      },
    );
  },
};

const LAST_TURN_MISSING: Operator = {
  name: 'last_turn_missing',
  must: 'fail',
  change: 'The agent stopped before its last answer: after a tool answered, or after the last message of the user.',
  why: 'The user asked for something, and there is no answer to it.',
  sites(subject) {
    const { trace } = subject;
    const last = trace.messages.findLastIndex(({ role }) => role === 'assistant');
    const isAnswer = trace.messages[last]?.content === trace.final_content;
    const isOnly = agentTurns(trace, subject.scenario).length < 2 && trace.tool_calls_made.length === 0;
    const problem = isAnswer ? null : 'the last message is not the answer';
    return answerSite(
      subject,
      {
        label: 'answer',
        note: 'the last answer is missing',
        problem: isOnly ? 'the conversation has one answer (answer_empty)' : problem,
      },
      () => ({ trace: withoutLast(trace, trace.messages.toSpliced(last, 1)) }),
    );
  },
};

function withoutLast(trace: Trace, messages: Message[]): Trace {
  return { ...trace, messages, final_content: null, turn_count: Math.max(0, trace.turn_count - 1) };
}

export const BROKEN_ANSWERS: readonly Operator[] = [
  ...[RESULT_DENIED, CLAIM_WITHOUT_CALL, ANSWER_CUT, ANSWER_EMPTY, ANSWER_REFUSAL, OTHER_LANGUAGE, OTHER_CASE],
  ...[SECRET_LEAKED, PROMPT_LEAKED, LAST_TURN_MISSING],
];
