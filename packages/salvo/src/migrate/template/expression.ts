import { isRecord } from '../../text/json/is-record.ts';
import { type ExpressionToken, expressionTokens } from './expression-tokens.ts';
import { FILTERS, isTrue, shownValue } from './filters.ts';

export type Scope = Readonly<Record<string, unknown>>;
export type Expression = (scope: Scope) => unknown;

/** What a template uses that is not translated. */
export class TemplateGap extends Error {}

const MOST_NESTED = 50;
const MOST_NUMBERS = 10_000;

/** Compiles an expression of Nunjucks. `uses` receives the names of the variables in it. */
export function compileTemplateExpression(text: string, uses: (name: string) => void): Expression {
  const parser = new ExpressionParser(expressionTokens(text), uses);
  const expression = parser.choice();
  parser.end();
  return expression;
}

type Binary = (a: unknown, b: unknown) => unknown;

const COMPARISONS: Readonly<Record<string, Binary>> = {
  // biome-ignore lint/suspicious/noDoubleEquals: Nunjucks compares as JavaScript does.
  '==': (a, b) => a == b,
  '===': (a, b) => a === b,
  // biome-ignore lint/suspicious/noDoubleEquals: Nunjucks compares as JavaScript does.
  '!=': (a, b) => a != b,
  '!==': (a, b) => a !== b,
  '<': (a, b) => Number(a) < Number(b),
  '>': (a, b) => Number(a) > Number(b),
  '<=': (a, b) => Number(a) <= Number(b),
  '>=': (a, b) => Number(a) >= Number(b),
  in: (a, b) =>
    isRecord(b)
      ? Object.hasOwn(b, shownValue(a))
      : Array.isArray(b)
        ? b.includes(a)
        : shownValue(b).includes(shownValue(a)),
};
const SUMS: Readonly<Record<string, Binary>> = {
  '~': (a, b) => shownValue(a) + shownValue(b),
  '+': (a, b) => (typeof a === 'number' && typeof b === 'number' ? a + b : shownValue(a) + shownValue(b)),
  '-': (a, b) => Number(a) - Number(b),
};
const PRODUCTS: Readonly<Record<string, Binary>> = {
  '*': (a, b) => Number(a) * Number(b),
  '/': (a, b) => Number(a) / Number(b),
  '//': (a, b) => Math.floor(Number(a) / Number(b)),
  '%': (a, b) => Number(a) % Number(b),
  '**': (a, b) => Number(a) ** Number(b),
};

class ExpressionParser {
  readonly #tokens: readonly ExpressionToken[];
  readonly #uses: (name: string) => void;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly ExpressionToken[], uses: (name: string) => void) {
    this.#tokens = tokens;
    this.#uses = uses;
  }

  end(): void {
    const rest = this.#tokens[this.#at];
    if (rest) throw new SyntaxError(`unexpected ${JSON.stringify(rest.text)}`);
  }

  /** `a if b else c`, and everything that binds more tightly. */
  choice(): Expression {
    this.#depth += 1;
    if (this.#depth > MOST_NESTED) throw new SyntaxError('the expression is nested too deeply');
    const value = this.#either();
    this.#depth -= 1;
    if (!this.#take('if')) return value;
    const condition = this.#either();
    const other = this.#take('else') ? this.choice() : () => '';
    return (scope) => (isTrue(condition(scope)) ? value(scope) : other(scope));
  }

  #either(): Expression {
    let left = this.#both();
    while (this.#take('or')) {
      const [first, second] = [left, this.#both()];
      left = (scope) => {
        const value = first(scope);
        return isTrue(value) ? value : second(scope);
      };
    }
    return left;
  }

  #both(): Expression {
    let left = this.#negation();
    while (this.#take('and')) {
      const [first, second] = [left, this.#negation()];
      left = (scope) => {
        const value = first(scope);
        return isTrue(value) ? second(scope) : value;
      };
    }
    return left;
  }

  #negation(): Expression {
    if (!this.#take('not')) return this.#comparison();
    const value = this.#negation();
    return (scope) => !isTrue(value(scope));
  }

  #comparison(): Expression {
    const left = this.#binary(() => this.#binary(() => this.#unary(), PRODUCTS), SUMS);
    const isNegated = this.#peek() === 'not' && this.#tokens[this.#at + 1]?.text === 'in';
    if (isNegated) this.#at += 1;
    if (this.#take('is')) return this.#test(left);
    const operator = this.#operator(COMPARISONS);
    if (!operator) return left;
    const right = this.#binary(() => this.#binary(() => this.#unary(), PRODUCTS), SUMS);
    return (scope) => operator(left(scope), right(scope)) !== isNegated;
  }

  /** `x is defined` */
  #test(value: Expression): Expression {
    const isNegated = this.#take('not');
    const name = this.#name();
    const tests: Record<string, (value: unknown) => boolean> = {
      defined: (each) => each !== undefined,
      undefined: (each) => each === undefined,
      none: (each) => each === null,
      string: (each) => typeof each === 'string',
      number: (each) => typeof each === 'number',
    };
    const test = Object.hasOwn(tests, name) ? tests[name] : undefined;
    if (!test) throw new TemplateGap(`the test "is ${name}"`);
    return (scope) => test(value(scope)) !== isNegated;
  }

  #binary(next: () => Expression, operators: Readonly<Record<string, Binary>>): Expression {
    let left = next();
    for (;;) {
      const operator = this.#operator(operators);
      if (!operator) return left;
      const [first, second] = [left, next()];
      left = (scope) => operator(first(scope), second(scope));
    }
  }

  #unary(): Expression {
    if (!this.#take('-')) return this.#filtered();
    const value = this.#filtered();
    return (scope) => -Number(value(scope));
  }

  #filtered(): Expression {
    let value = this.#postfix();
    while (this.#take('|')) {
      const name = this.#name();
      const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
      if (!filter) throw new TemplateGap(`the filter "${name}"`);
      const given = this.#take('(') ? this.#list(')') : [];
      const before = value;
      value = (scope) => filter(before(scope), ...given.map((each) => each(scope)));
    }
    return value;
  }

  #postfix(): Expression {
    let value = this.#primary();
    for (;;) {
      const before = value;
      if (this.#take('.')) {
        const name = this.#name();
        value = (scope) => partOf(before(scope), name);
      } else if (this.#take('[')) {
        const key = this.choice();
        this.#expect(']');
        value = (scope) => partOf(before(scope), key(scope));
      } else if (this.#peek() === '(') throw new TemplateGap('a call of a function');
      else return value;
    }
  }

  #primary(): Expression {
    const token = this.#tokens[this.#at];
    if (!token) throw new SyntaxError('the expression ends too early');
    this.#at += 1;
    const { kind, text } = token;
    if (kind === 'number') return () => Number(text);
    if (kind === 'text') return () => text;
    if (kind === 'name') return this.#named(text);
    if (text === '(') {
      const value = this.choice();
      this.#expect(')');
      return value;
    }
    if (text === '[') {
      const items = this.#list(']');
      return (scope) => items.map((each) => each(scope));
    }
    throw new SyntaxError(`unexpected ${JSON.stringify(text)}`);
  }

  #named(name: string): Expression {
    const constants: Record<string, unknown> = { true: true, false: false, none: null, null: null };
    if (Object.hasOwn(constants, name)) return () => constants[name];
    if (name === 'range' && this.#take('(')) {
      const given = this.#list(')');
      return (scope) => numbers(given.map((each) => Number(each(scope))));
    }
    this.#uses(name);
    return (scope) => (Object.hasOwn(scope, name) ? scope[name] : undefined);
  }

  #list(end: string): Expression[] {
    const items: Expression[] = [];
    while (!this.#take(end)) {
      if (items.length > 0) this.#expect(',');
      items.push(this.choice());
    }
    return items;
  }

  #operator(operators: Readonly<Record<string, Binary>>): Binary | undefined {
    const text = this.#peek();
    if (text === undefined || !Object.hasOwn(operators, text)) return undefined;
    this.#at += 1;
    return operators[text];
  }

  #peek(): string | undefined {
    const token = this.#tokens[this.#at];
    return token?.kind === 'text' ? undefined : token?.text;
  }

  #take(text: string): boolean {
    if (this.#peek() !== text) return false;
    this.#at += 1;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new SyntaxError(`${JSON.stringify(text)} is missing`);
  }

  #name(): string {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'name') throw new SyntaxError('a name is missing');
    this.#at += 1;
    return token.text;
  }
}

/** A field, an entry of a list, or the length of a text or a list. Nothing of a prototype is reached. */
function partOf(value: unknown, key: unknown): unknown {
  if (key === 'length' && (typeof value === 'string' || Array.isArray(value))) return value.length;
  if (Array.isArray(value) || typeof value === 'string') return typeof key === 'number' ? value.at(key) : undefined;
  return isRecord(value) && Object.hasOwn(value, shownValue(key)) ? value[shownValue(key)] : undefined;
}

function numbers(given: readonly number[]): number[] {
  const [first = 0, second] = given;
  const [start, stop] = second === undefined ? [0, first] : [first, second];
  const step = given[2] ?? 1;
  const count = step === 0 ? 0 : Math.max(0, Math.ceil((stop - start) / step));
  if (!(count <= MOST_NUMBERS)) throw new TemplateGap(`a range of more than ${MOST_NUMBERS} numbers`);
  return Array.from({ length: count }, (_, index) => start + index * step);
}
