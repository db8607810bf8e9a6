import { OPERATOR_NAMES } from '../../scenario/schema/shared-fields.ts';
import type { Operator } from '../mutant.ts';
import { BROKEN_ANSWERS } from './broken-answers.ts';
import { CHANGED_CALLS } from './changed-calls.ts';
import { DROPPED_CALLS } from './dropped-calls.ts';
import { FORBIDDEN_CALL } from './forbidden-call.ts';
import { HARMLESS } from './harmless.ts';
import { REPLACED_FACTS } from './replaced-facts.ts';

/** All operators, in the order of their names in scenarios. */
export const OPERATORS: readonly Operator[] = [
  ...[...DROPPED_CALLS, ...CHANGED_CALLS, FORBIDDEN_CALL],
  ...[...REPLACED_FACTS, ...BROKEN_ANSWERS, ...HARMLESS],
].toSorted((a, b) => OPERATOR_NAMES.indexOf(a.name) - OPERATOR_NAMES.indexOf(b.name));
