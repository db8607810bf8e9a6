import type { JSONValue } from '@jmespath-community/jmespath';
import { errorMessage, SalvoError } from '../errors/salvo-error.ts';
import { memoByWord } from '../memo.ts';
import { requireDependency } from '../modules/dependency.ts';
import { didYouMean } from '../words/did-you-mean.ts';
import { isRecord } from './is-record.ts';

export type Expression = (data: unknown) => unknown;

export class ExpressionError extends SalvoError {
  /** The position of the error in the expression, from 0, when it is known. */
  readonly offset: number | undefined;

  constructor(message: string, options: { offset?: number | undefined; cause?: unknown } = {}) {
    super('EXPRESSION_INVALID', message, { cause: options.cause });
    this.offset = options.offset;
  }
}

const MAX_LENGTH = 4000;

/** A compiled JMESPath expression. It returns null for data that is missing or of the wrong type. */
export const compileExpression = memoByWord(compile, MAX_LENGTH, 500);

export type ExpressionTree = ReturnType<Jmespath['compile']>;

export interface ParsedExpression {
  tree: ExpressionTree;
  /** The words of the expression with their positions. */
  tokens: { type: string; value: unknown; start: number }[];
}

/** The syntax tree of an expression. Throws an `ExpressionError` for one that cannot be compiled. */
export const parseExpression = memoByWord(parseOnce, MAX_LENGTH, 500);

function parseOnce(expression: string): ParsedExpression {
  if (expression.length > MAX_LENGTH) {
    throw new ExpressionError(`The JMESPath expression is longer than ${MAX_LENGTH} characters.`);
  }
  const jmespath = library();
  const tree = parse(jmespath, expression);
  checkBindings(tree);
  checkFunctions(jmespath, tree, expression);
  return { tree, tokens: tokenize(expression, jmespath) ?? [] };
}

export function library(): Jmespath {
  return requireDependency('@jmespath-community/jmespath');
}

function compile(expression: string): Expression {
  const { tree } = parseExpression(expression);
  const jmespath = library();
  const isolate = readsInheritedField(tree);
  return (data) => {
    const plain = isolate ? withoutPrototypes(data) : data;
    try {
      return jmespath.TreeInterpreter.search(tree, plain as JSONValue) ?? null;
    } catch (error) {
      // `length(null)` and the like mean that the field is missing: the result is null.
      if (/^invalid type/i.test(errorMessage(error))) return null;
      throw new ExpressionError(
        `The JMESPath expression "${expression.slice(0, 200)}" failed: ${errorMessage(error)}`,
        {
          cause: error,
        },
      );
    }
  };
}

type Jmespath = typeof import('@jmespath-community/jmespath');

function parse(jmespath: Jmespath, expression: string): ExpressionTree {
  try {
    return jmespath.compile(expression);
  } catch (error) {
    const offset = expressionErrorOffset(expression, jmespath);
    const where = offset === undefined ? '' : ` at character ${offset + 1}`;
    throw new ExpressionError(`The JMESPath expression cannot be compiled: ${readable(errorMessage(error))}${where}.`, {
      offset,
      cause: error,
    });
  }
}

/** The search compiles every prefix of an expression, so it is limited to short ones. */
const MAX_SEARCHED = 1000;

/**
 * The position of a syntax error, which the library does not report: the last token of the shortest prefix that cannot
 * be completed. A prefix that can be completed compiles, or fails with an unexpected end of input.
 */
function expressionErrorOffset(expression: string, jmespath: Jmespath): number | undefined {
  if (expression.length > MAX_SEARCHED) return undefined;
  const tokens = tokenize(expression, jmespath);
  if (!tokens) return undefined;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'EOF') return expression.length;
    const end = tokens[index + 1]?.start ?? expression.length;
    if (!canBeCompleted(expression.slice(0, end), jmespath)) return token.start;
  }
  return expression.length;
}

function tokenize(expression: string, jmespath: Jmespath) {
  try {
    return jmespath.tokenize(expression);
  } catch {
    return null;
  }
}

function canBeCompleted(prefix: string, jmespath: Jmespath): boolean {
  try {
    jmespath.compile(prefix);
    return true;
  } catch (error) {
    return error instanceof Error && error.message.includes('EOF');
  }
}

function readable(message: string): string {
  if (message.includes('call stack')) return 'it is nested too deeply';
  if (message.includes('EOF')) return 'it ends too early';
  return message.replace(/^syntax(?: error)?[:,] /i, '').slice(0, 200);
}

/** The library takes `let $x = a 'b' in $x`, where a comma is missing, for two bindings. */
function checkBindings(tree: ExpressionTree): void {
  for (const { type, bindings } of allNodes(tree)) {
    if (type !== 'LetExpression' || !Array.isArray(bindings)) continue;
    if (bindings.every((binding) => isRecord(binding) && binding.type === 'Binding')) continue;
    throw new ExpressionError(
      'The JMESPath expression cannot be compiled: a binding of let has the form $name = value.',
    );
  }
}

/** The library reports an unknown function only when it is called, after a trial has been paid for. */
function checkFunctions(jmespath: Jmespath, tree: ExpressionTree, expression: string): void {
  const names = jmespath.getRegisteredFunctions();
  for (const node of allNodes(tree)) {
    if (node.type !== 'Function' || typeof node.name !== 'string' || names.includes(node.name)) continue;
    const guess = didYouMean(node.name, names);
    const offset = expression.indexOf(`${node.name}(`);
    throw new ExpressionError(
      `The JMESPath expression calls an unknown function, ${node.name}().${guess ? ` Did you mean ${guess}()?` : ''}`,
      { offset: offset < 0 ? undefined : offset },
    );
  }
}

/** Whether the expression reads a field such as `constructor`, which the library would find on any object. */
function readsInheritedField(tree: ExpressionTree): boolean {
  return allNodes(tree).some((node) => node.type === 'Field' && typeof node.name === 'string' && node.name in {});
}

/** Not recursive: a long expression would exceed the stack. */
function allNodes(tree: ExpressionTree): Record<string, unknown>[] {
  const nodes: Record<string, unknown>[] = [];
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const value = open.pop();
    if (Array.isArray(value)) open.push(...value);
    // A literal is data, not part of the expression.
    if (!isRecord(value) || value.type === 'Literal') continue;
    nodes.push(value);
    open.push(...Object.values(value));
  }
  return nodes;
}

function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isRecord(value)) return value;
  return Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutPrototypes(item)])),
  );
}
