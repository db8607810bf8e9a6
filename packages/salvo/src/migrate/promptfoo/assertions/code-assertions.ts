import { childOf, textOf } from '../../source/located.ts';
import type { SourceAssertion, WrittenAssertion } from './source-assertion.ts';
import { literalText } from './test-texts.ts';

/** Code that cannot throw, whatever the answer is. */
const SAFE =
  /^!?output(?:\.(?:length|trim\(\)|toLowerCase\(\)|toUpperCase\(\)))*(?:\.(?:includes|startsWith|endsWith)\((?:'[^'\\]*'|"[^"\\]*")\))?(?:\s*[<>=!]=?=?\s*(?:\d+(?:\.\d+)?|'[^'\\]*'|"[^"\\]*"))?;?$/;

/** `javascript`: an expression or a function body, or a function in a file. */
export function javascriptAssertion(assertion: SourceAssertion): WrittenAssertion {
  const { node, isNegated, threshold } = assertion;
  const file = textOf(childOf(node, 'value'));
  if (file !== undefined && /^(?:file:\/\/|package:)/.test(file)) return fileAssertion(assertion, file);
  const code = assertion.code().trim();
  if (assertion.around.hasTools || OF_NODE.test(code)) return checkedCode(assertion, code);
  const minimum = threshold === undefined ? {} : { min: threshold };
  if (SAFE.test(code) && !isNegated && !needsPrelude(assertion, code)) {
    return { type: 'javascript', code: code.replace(/;$/, ''), ...minimum };
  }
  return { type: 'javascript', code: literalText(guarded(code, assertion), assertion.around.texts), ...minimum };
}

/** The type `javascript` has the language alone, and looks at no answer that has only tool calls. */
const OF_NODE = /\b(?:require|process|fetch|Buffer|URL|setTimeout|structuredClone|TextEncoder|crypto)\b|\bimport\s*\(/;

function checkedCode(assertion: SourceAssertion, code: string): WrittenAssertion {
  const { around, isNegated, threshold } = assertion;
  around.needsChecks();
  return checkOf('javascriptCode', {
    code: literalText(bodyOf(code), around.texts),
    ...(isNegated && { negated: true }),
    ...(threshold !== undefined && { threshold }),
    ...renamedOptions(assertion),
  });
}

/** The code as the body of a function of `output` and `context`. */
function bodyOf(code: string): string {
  const isFunction = /^(?:async\s+)?(?:function\b|\([^)]*\)\s*=>|\w+\s*=>)/.test(code);
  return isFunction ? `return (${code})(output, context);` : functionBody(code);
}

function needsPrelude({ around }: SourceAssertion, code: string): boolean {
  return around.isParsed || (around.texts.renamed.size > 0 && /\bvars\b/.test(code));
}

/** promptfoo counts code that throws as failed; here it would not be scored. */
function guarded(code: string, assertion: SourceAssertion): string {
  const { around, isNegated } = assertion;
  const body = bodyOf(code);
  const renamed = [...around.texts.renamed].map(
    ([name, column]) => `${JSON.stringify(name)}: context.vars[${JSON.stringify(column)}]`,
  );
  const lines = [
    ...(around.isParsed ? [`output = ${PARSED};`] : []),
    ...(renamed.length > 0 && /\bvars\b/.test(code)
      ? [`context = { ...context, vars: { ...context.vars, ${renamed.join(', ')} } };`]
      : []),
  ];
  const indented = [...lines, ...body.split('\n')].map((line) => `    ${line}`).join('\n');
  const call = isNegated
    ? `const result = await (async () => {\n${indented}\n    })();\n    return typeof result === 'object' ? { ...result, pass: !result.pass } : !result;`
    : indented.trimStart();
  return `async (output, context) => {\n  try {\n    ${call}\n  } catch (error) {\n    return { pass: false, score: 0, reason: String(error) };\n  }\n}`;
}

/** Parsed JSON: what promptfoo hands to code if the model was asked for JSON. */
const PARSED = '(() => { try { return JSON.parse(output) } catch { return output } })()';

/** A line is an expression, which may follow declarations; several lines are a body with \`return\`. */
export function functionBody(code: string): string {
  const text = code.trim();
  if (text.includes('\n')) return text;
  const line = text.replace(/;$/, '');
  if (!/^(?:const|let|var)\s/.test(line)) return `return ${line};`;
  const last = lastSemicolon(line);
  return last === -1 ? line : `${line.slice(0, last + 1)} return ${line.slice(last + 1).trim()};`;
}

/** The last one that is not in quotes. */
function lastSemicolon(code: string): number {
  let quote = '';
  let found = -1;
  for (let at = 0; at < code.length; at += 1) {
    const character = code[at] ?? '';
    if (character === '\\') at += 1;
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if ('\'"`'.includes(character)) quote = character;
    else if (character === ';') found = at;
  }
  return found;
}

/** A function in a file of JavaScript or Python: the file is copied, and called by the checks of the project. */
function fileAssertion(assertion: SourceAssertion, name: string): WrittenAssertion {
  const { node, around, isNegated, threshold } = assertion;
  const [, path = '', exported] = /^file:\/\/(.*\.\w+?)(?::(\w+))?$/.exec(name) ?? [];
  if (path === '' || !/\.(?:py|[cm]?[jt]s)$/.test(path)) throw assertion.gap('its function is in a package');
  const file = around.needsFile(around.files.pathOf(path, node.span), node);
  around.needsChecks();
  return checkOf(path.endsWith('.py') ? 'pythonFile' : 'javascriptFile', {
    ...{ file, ...(exported !== undefined && { function: exported }) },
    ...(isNegated && { negated: true }),
    ...(threshold !== undefined && { threshold }),
    ...(childOf(node, 'config') && { config: childOf(node, 'config')?.value }),
    ...renamedOptions(assertion),
  });
}

/** `python`: an expression or a function body, or a function in a file. It needs python3 on the PATH, as before. */
export function pythonAssertion(assertion: SourceAssertion): WrittenAssertion {
  const { node, around, isNegated, threshold } = assertion;
  const file = textOf(childOf(node, 'value'));
  if (file?.startsWith('file://')) return fileAssertion(assertion, file);
  around.needsChecks();
  return checkOf('python', {
    code: literalText(assertion.code(), around.texts),
    ...(isNegated && { negated: true }),
    ...(threshold !== undefined && { threshold }),
    ...renamedOptions(assertion),
  });
}

function renamedOptions({ around: { texts, isParsed } }: SourceAssertion): Record<string, unknown> {
  return {
    ...(texts.renamed.size > 0 && { renamed: Object.fromEntries(texts.renamed) }),
    ...(isParsed && { parsed: true }),
  };
}

/** A function of the file of checks that is written into the project. */
export function checkOf(name: string, options: Record<string, unknown>): WrittenAssertion {
  return { type: 'custom', module: '../checks/promptfoo.mjs', function: name, options };
}
