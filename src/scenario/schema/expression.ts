import type { JSONValue } from '@jmespath-community/jmespath';
import { requireDependency } from '../../text/dependency.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { isRecord } from '../../text/is-record.ts';
import { SalvoError } from '../../text/salvo-error.ts';
import { expressionErrorOffset } from './expression-error-offset.ts';

export type Expression = (data: unknown) => unknown;

export class ExpressionError extends SalvoError {
  /** Where in the expression it went wrong, from 0, when that could be found out. */
  readonly offset: number | undefined;

  constructor(message: string, options: { offset?: number | undefined; cause?: unknown } = {}) {
    super('INVALID_EXPRESSION', message, { cause: options.cause });
    this.offset = options.offset;
  }
}

const MAX_LENGTH = 4000;
const MAX_CACHED = 500;
const compiled = new Map<string, Expression>();

/** A JMESPath expression, ready to be applied to data. What is not there, or cannot be had of such data, is null. */
export function compileExpression(expression: string): Expression {
  const known = compiled.get(expression);
  if (known) return known;
  const made = compile(expression);
  if (compiled.size >= MAX_CACHED) compiled.clear();
  compiled.set(expression, made);
  return made;
}

function compile(expression: string): Expression {
  if (expression.length > MAX_LENGTH) {
    throw new ExpressionError(`The JMESPath expression is longer than ${MAX_LENGTH} characters.`);
  }
  const jmespath: typeof import('@jmespath-community/jmespath') = requireDependency('@jmespath-community/jmespath');
  const tree = parse(jmespath, expression);
  checkFunctions(jmespath, tree, expression);
  const isolate = namesInherited(tree);
  return (data) => {
    const plain = isolate ? withoutPrototypes(data) : data;
    try {
      return jmespath.TreeInterpreter.search(tree, plain as JSONValue) ?? null;
    } catch (error) {
      // The length of nothing is nothing: the data is not what the expression is for, which is no fault of either.
      if (/^invalid type/i.test(messageOf(error))) return null;
      throw new ExpressionError(`The JMESPath expression "${expression.slice(0, 200)}" failed: ${messageOf(error)}`, {
        cause: error,
      });
    }
  };
}

type Jmespath = typeof import('@jmespath-community/jmespath');
type Tree = ReturnType<Jmespath['compile']>;

function parse(jmespath: Jmespath, expression: string): Tree {
  try {
    return jmespath.compile(expression);
  } catch (error) {
    const offset = expressionErrorOffset(expression, jmespath);
    const where = offset === undefined ? '' : ` at character ${offset + 1}`;
    throw new ExpressionError(`The JMESPath expression cannot be compiled: ${readable(messageOf(error))}${where}.`, {
      offset,
      cause: error,
    });
  }
}

function readable(message: string): string {
  if (message.includes('call stack')) return 'it is nested too deeply';
  if (message.includes('EOF')) return 'it ends too early';
  return message.replace(/^syntax(?: error)?[:,] /i, '').slice(0, 200);
}

/** The library would only notice an unknown function when it is called, after a trial has been paid for. */
function checkFunctions(jmespath: Jmespath, tree: Tree, expression: string): void {
  const names = jmespath.getRegisteredFunctions();
  for (const node of nodesOf(tree)) {
    if (node.type !== 'Function' || typeof node.name !== 'string' || names.includes(node.name)) continue;
    const guess = didYouMean(node.name, names);
    const offset = expression.indexOf(`${node.name}(`);
    throw new ExpressionError(
      `The JMESPath expression calls an unknown function, ${node.name}().${guess ? ` Did you mean ${guess}()?` : ''}`,
      { offset: offset < 0 ? undefined : offset },
    );
  }
}

/** The library reads `constructor` or `toString` of any object: things nobody sent. */
function namesInherited(tree: Tree): boolean {
  return nodesOf(tree).some((node) => node.type === 'Field' && typeof node.name === 'string' && node.name in {});
}

/** Without recursion: an expression can be longer than the stack is deep. */
function nodesOf(tree: Tree): Record<string, unknown>[] {
  const nodes: Record<string, unknown>[] = [];
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const value = open.pop();
    if (Array.isArray(value)) open.push(...value);
    // A literal is data, not a part of the expression.
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
