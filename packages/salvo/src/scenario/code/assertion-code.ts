import { isRecord } from '../../text/json/is-record.ts';
import type { Assertion } from '../schema/assertion-schema.ts';

/** The JavaScript that an assertion has as a text, in the order in which it runs. */
export function inlineCodeOf(assertion: Assertion): string[] {
  const transform = transformOf(assertion);
  const code = assertion.type === 'javascript' && 'code' in assertion ? assertion.code : undefined;
  return [transform?.javascript, code].filter((each) => typeof each === 'string');
}

/** The module of the `transform` of an assertion, relative to the scenario. */
export function transformModule(assertion: Assertion): string | undefined {
  const module = transformOf(assertion)?.module;
  return typeof module === 'string' ? module : undefined;
}

function transformOf(assertion: Assertion): Record<string, unknown> | undefined {
  const transform = 'transform' in assertion ? assertion.transform : undefined;
  return isRecord(transform) ? transform : undefined;
}
