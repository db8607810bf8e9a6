import type { ExpressionTree } from '../../text/json/expression.ts';
import type { NamePlace } from './expression-offsets.ts';
import type { ValueType } from './value-type.ts';

/** Something that is wrong with an expression for every document of the type. */
export interface ExpressionProblem {
  code: 'unknown-path' | 'invalid-expression';
  message: string;
  hint?: string | undefined;
  /** The position in the expression, from 0, when it is known. */
  offset?: number | undefined;
}

/** A value with the path that led to it, for messages. */
export interface Typed {
  type: ValueType;
  /** Empty for the whole document. */
  name: string;
}

/** The state of one walk through an expression. */
export interface Walk {
  root: Typed;
  variables: ReadonlyMap<string, Typed>;
  visit(node: ExpressionTree, at: Typed): Typed;
  /** Reports a problem at a node. The result is unknown, so that one mistake gives one message. */
  fail(node: ExpressionTree, problem: Omit<ExpressionProblem, 'offset'>): Typed;
  /** A function can get a value that it does not take; then the whole expression gives null. */
  mayStop(): void;
  placeOf(node: ExpressionTree): NamePlace | undefined;
}
