import { dirname } from 'node:path';
import { adapterTypeOf } from '../../../adapters/adapter-name.ts';
import { isRecord } from '../../../text/json/is-record.ts';
import { InlineCodeError, readInlineCode } from '../../../text/modules/inline-code.ts';
import { readShare } from '../../../text/share.ts';
import type { Path } from '../../diagnostics/located-value.ts';
import type { Report } from '../../diagnostics/problem.ts';
import { ANYTHING } from '../../types/value-type.ts';
import { checkAskedAdapter } from '../check-adapter.ts';
import type { AssertionInPlace } from '../check-assertion-fields.ts';
import { alwaysPasses } from '../check-comparison.ts';
import { checkExpression } from '../check-field.ts';
import { codeRefusal, reportCode } from '../refuse-code.ts';
import { checkFileExists } from '../written-path.ts';

/** Checks what the schema of an assertion on the agent's answer cannot. */
export function checkTextAssertion(report: Report, inPlace: AssertionInPlace): void {
  const { assertion, path } = inPlace;
  if (assertion.transform !== undefined) checkTransform(report, inPlace);
  if (assertion.type === 'output_length') checkLength(report, assertion, path);
  if (assertion.type === 'output_similar') checkSimilar(report, inPlace);
  if (assertion.type === 'javascript') checkCode(report, assertion.code, [...path, 'code']);
}

function checkLength(report: Report, { min, max }: Record<string, unknown>, path: Path): void {
  if (min === undefined && max === undefined) {
    const message = 'a length needs a limit: "min" or "max" is missing';
    report({ code: 'missing-key', message, hint: 'such as max: 300', path, missing: ['min', 'max'] });
  }
  if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return;
  const message = `"min" (${min}) is greater than "max" (${max}): no length can satisfy both`;
  report({ code: 'invalid-value', message, path: [...path, 'min'] });
}

function checkSimilar(report: Report, { assertion, around, path }: AssertionInPlace): void {
  if (readShare(assertion.min) === 0) {
    const finding = alwaysPasses('hardly any two texts have a similarity below 0', 'give a greater min');
    report({ ...finding, severity: 'warning', path: [...path, 'min'] });
  }
  const at = [...path, 'adapter'];
  const { adapterNames: names, projectRoot: root, readRoot } = around;
  const folder = dirname(around.fileAt(at));
  const { adapter: name } = assertion;
  checkAskedAdapter(report, { name, names, folder, root, readRoot, path: at }, 'judge');
  if (typeof name !== 'string' || adapterTypeOf(name, names) !== 'anthropic') return;
  report({
    code: 'no-embeddings',
    message: `output_similar needs embeddings, and the adapter "${name}" has none`,
    hint: 'choose an adapter of type openai, ai-sdk or llama, or a program of your own',
    path: at,
  });
}

function checkTransform(report: Report, { assertion, around, path }: AssertionInPlace): void {
  const { transform } = assertion;
  const at = (...keys: string[]) => [...path, 'transform', ...keys];
  if (!isRecord(transform)) {
    checkExpression(report, { expression: transform, path: at(), document: ANYTHING });
    return;
  }
  if (transform.javascript !== undefined) checkCode(report, transform.javascript, at('javascript'));
  if (transform.module === undefined) return;
  const folder = dirname(around.fileAt(at('module')));
  const { projectRoot, readRoot } = around;
  checkFileExists(report, { file: transform.module, folder, projectRoot, readRoot, path: at('module') });
  reportCode(report, codeRefusal('the module of a transform'), at('module'));
}

/** Reads code, and executes nothing of it. */
function checkCode(report: Report, code: unknown, path: Path): void {
  if (typeof code !== 'string' || code === '') return;
  reportCode(report, codeRefusal('the JavaScript of an assertion'), path);
  try {
    if (!readInlineCode(code).lacksReturn) return;
    const message = 'the code gives nothing: it has statements, and no return';
    report({ code: 'invalid-code', message, hint: 'write one expression, or return its result', path });
  } catch (error) {
    if (!(error instanceof InlineCodeError)) throw error;
    report({ code: 'invalid-code', message: `not JavaScript: ${error.message}`, path, offset: error.offset });
  }
}
