/**
 * A value as it is written; `scope.resolve` evaluates it.
 *
 * CloudFormation's functions have the same form: `Ref: X` is the reference `X`, `Fn::GetAtt: [A, Arn]` the reference
 * `A.Arn`, `Fn::Sub` a template, and all others are calls: `Fn::If` with its arguments.
 */
export type Expression =
  | LiteralExpression
  | TemplateExpression
  | ListExpression
  | ObjectExpression
  | ReferenceExpression
  | TraversalExpression
  | CallExpression
  | ConditionalExpression
  | OperationExpression
  | ForExpression
  | OtherExpression;

/** Where an expression is written. */
export interface Written {
  range: TextRange;
  /**
   * The text in `range`, including quotes, brackets and parentheses. In a JSON string with escapes in its computed parts,
   * every part has the range of the whole string, and its own decoded text.
   */
  text: string;
}

/** `"private"`, `443`, `true`, `null`; also a heredoc without interpolations. Escapes are resolved in `value`. */
interface LiteralExpression extends Written {
  kind: 'literal';
  value: string | number | boolean | null;
  heredoc: boolean;
}

/** `"${var.a}-logs"`: its literal and computed parts, in order. */
interface TemplateExpression extends Written {
  kind: 'template';
  parts: Expression[];
  heredoc: boolean;
}

interface ListExpression extends Written {
  kind: 'list';
  items: Expression[];
}

export interface ObjectExpression extends Written {
  kind: 'object';
  entries: ObjectEntry[];
}

export interface ObjectEntry extends Attribute {
  key: Expression;
}

/** `var.x`, `local.y`, `aws_s3_bucket.a[0].id`, `each.value`: names and constant indices only. */
interface ReferenceExpression extends Written {
  kind: 'reference';
  /** `aws_s3_bucket.a[0].id`. */
  path: string;
  /** `['aws_s3_bucket', 'a', 0, 'id']`. */
  steps: (string | number)[];
}

/**
 * A reference with more than names and constants: `var.list[count.index].id`, `aws_instance.a[*].id`, `merge(a, b).c`.
 */
export interface TraversalExpression extends Written {
  kind: 'traversal';
  base: Expression;
  steps: TraversalStep[];
}

/** `end` is where the step ends in the text. */
export type TraversalStep =
  | { kind: 'name'; name: string | number; end: number }
  | { kind: 'index'; index: Expression; end: number }
  | { kind: 'splat'; end: number };

export interface CallExpression extends Written {
  kind: 'call';
  name: string;
  args: Expression[];
  /** `f(list...)`: the last argument is expanded. */
  expandLast: boolean;
}

interface ConditionalExpression extends Written {
  kind: 'conditional';
  condition: Expression;
  whenTrue: Expression;
  whenFalse: Expression;
}

/** One operand for `!` and `-`, otherwise two. */
interface OperationExpression extends Written {
  kind: 'operation';
  operator: string;
  operands: Expression[];
}

/** `[for k, v in x : v if c]`, and with a `key` `{for k, v in x : k => v...}`. */
export interface ForExpression extends Written {
  kind: 'for';
  keyName: string | null;
  valueName: string;
  collection: Expression;
  key: Expression | null;
  value: Expression;
  condition: Expression | null;
  /** `=> v...`: values of the same key are collected in a list. */
  grouped: boolean;
}

/** Anything else: `%{ if }` in a template, or code that could not be read. */
interface OtherExpression extends Written {
  kind: 'other';
}

export interface TextRange {
  start: number;
  /** Exclusive. */
  end: number;
}

/** `name = value` of a block, or an entry of an object. */
export interface Attribute {
  /** For an entry whose key is computed, the text of the key: `(var.name)`. */
  name: string;
  value: Expression;
  /** From the name to the end of the value, without indentation, comma or line break. */
  range: TextRange;
  nameRange: TextRange;
  valueRange: TextRange;
  line: number;
  end_line: number;
}
