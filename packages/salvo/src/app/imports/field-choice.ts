import type { GivenOutcome, ImportedConversation } from '../../imports/import-format.ts';
import { meetsThreshold } from '../../stats/mean.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { suggestionSentence } from '../../text/words/did-you-mean.ts';
import type { ImportedRecord } from '../../trace/trace.ts';

/** Which fields of the records say what. Each is a path such as `info.task_id`. */
export interface FieldChoice {
  case?: string | undefined;
  trial?: string | undefined;
  passed?: string | undefined;
  reward?: string | undefined;
  /** The reward from which a conversation passes. 1 if not given. */
  passAt?: number | undefined;
}

const MEANINGS = {
  case: 'a name',
  trial: 'a whole number',
  passed: 'true or false, 1 or 0, pass or fail',
  reward: 'a number',
};
const DEFAULT_PASS_AT = 1;
const FIELDS = ['case', 'trial', 'passed', 'reward'] as const;

/** Reads what the options name, and remembers which of them no conversation has. */
export function createFieldReader(choice: FieldChoice) {
  const missing = new Map(FIELDS.flatMap((name) => (choice[name] === undefined ? [] : [[name, choice[name]]])));
  const unusable = new Map<(typeof FIELDS)[number], unknown>();
  const usable = new Set<(typeof FIELDS)[number]>();
  const known = new Set<string>();
  const read = (name: (typeof FIELDS)[number], { fields }: ImportedConversation): unknown => {
    const path = choice[name];
    if (path === undefined) return undefined;
    const value = fieldAt(fields, path);
    if (value !== undefined && value !== null) missing.delete(name);
    else if (known.size < 100) for (const field of pathsOf(fields)) known.add(field);
    return value;
  };
  const readAs = <Read>(
    name: (typeof FIELDS)[number],
    conversation: ImportedConversation,
    meaning: (value: unknown) => Read | null,
  ): Read | null => {
    const value = read(name, conversation);
    if (value === undefined || value === null) return null;
    const meant = meaning(value);
    if (meant === null) unusable.set(name, value);
    else usable.add(name);
    return meant;
  };
  return {
    caseOf(conversation: ImportedConversation): string | null {
      if (choice.case === undefined) return conversation.case;
      return readAs('case', conversation, (value) =>
        typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null,
      );
    },
    trialOf(conversation: ImportedConversation): number | null {
      if (choice.trial === undefined) return conversation.trial;
      return readAs('trial', conversation, (value) => {
        const number = numberOf(value);
        return Number.isInteger(number) ? number : null;
      });
    },
    givenOf(conversation: ImportedConversation): ImportedRecord['given'] {
      const named = choice.passed !== undefined || choice.reward !== undefined;
      const chosen: GivenOutcome | null = named
        ? {
            passed: readAs('passed', conversation, verdictOf),
            reward: readAs('reward', conversation, numberOf),
            scores: conversation.given?.scores ?? {},
          }
        : conversation.given;
      return chosen && resolved(chosen, choice.passAt);
    },
    /** Throws if an option names a field that no conversation has, or that says something else in all of them. */
    refuseUnknown(): void {
      for (const [name, path] of missing) {
        const fields = [...known].slice(0, 30).join(', ');
        const hint = suggestionSentence(path ?? '', known);
        throw new SalvoError(
          'OPTIONS_INVALID',
          `No conversation has the field "${path}" that {option:${name}} names.${hint} They have: ${fields === '' ? 'none' : fields}.`,
        );
      }
      for (const [name, value] of unusable) {
        if (usable.has(name)) continue;
        const shown = quoteOutput(JSON.stringify(value), { length: 60 });
        throw new SalvoError(
          'OPTIONS_INVALID',
          `The field "${choice[name]}" that {option:${name}} names has to be ${MEANINGS[name]}. It is ${shown}.`,
        );
      }
    },
  };
}

function resolved({ passed, reward, scores }: GivenOutcome, given: number | undefined): ImportedRecord['given'] {
  const passAt = given ?? DEFAULT_PASS_AT;
  // A limit that was asked for decides; without one, the verdict of the file does.
  if (reward !== null && (passed === null || given !== undefined)) {
    return { passed: meetsThreshold(reward, passAt), reward, pass_at: passAt, scores };
  }
  return passed === null ? null : { passed, reward, pass_at: null, scores };
}

/** The names of fields, and of those within them. */
function pathsOf(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const within = isRecord(value) ? Object.keys(value).slice(0, 20) : [];
    return within.length === 0 ? [name] : within.map((inner) => `${name}.${inner}`);
  });
}

/** The value at a path such as `info.task.id`; a field whose own name has dots in it is found, too. */
function fieldAt(fields: unknown, path: string): unknown {
  if (!isRecord(fields)) return undefined;
  if (Object.hasOwn(fields, path)) return fields[path];
  let value: unknown = fields;
  for (const step of path.split('.')) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (isRecord(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}

const PASSED: ReadonlySet<string> = new Set([
  'true',
  'pass',
  'passed',
  'yes',
  'success',
  'correct',
  'c',
  '1',
  'resolved',
]);
const FAILED: ReadonlySet<string> = new Set([
  'false',
  'fail',
  'failed',
  'no',
  'failure',
  'incorrect',
  'i',
  '0',
  'unresolved',
]);

/** A table that became JSON may have its numbers as texts. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

function verdictOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : '';
  return PASSED.has(word) ? true : FAILED.has(word) ? false : null;
}
