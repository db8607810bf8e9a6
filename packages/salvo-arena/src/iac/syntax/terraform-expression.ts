import {
  type ForParts,
  forExpression,
  literalExpression,
  plainExpression,
  traversalExpression,
} from './build-expression.ts';
import type { Expression, ObjectEntry, TraversalStep, Written } from './expression.ts';
import { placedAttribute } from './placed-syntax.ts';
import { addProblem, currentNode, currentText, MAX_DEPTH, type TerraformReading } from './terraform-reading.ts';
import { heredocExpression, quotedExpression, type TemplatePart } from './terraform-template.ts';

/** The expression of the current node of the walk: an `expression`, or an operation inside of one. */
export function readExpression(reading: TerraformReading, depth: number): Expression {
  const { walk } = reading;
  const written = currentNode(reading);
  const plain = plainExpression(written);
  if (plain) return plain;
  if (depth > MAX_DEPTH) {
    addProblem(reading, written.range.start, `values are nested more than ${MAX_DEPTH} levels deep`);
    return { kind: 'other', ...written };
  }
  if (!walk.down()) return { kind: 'other', ...written };
  const term = readTerm(reading, depth);
  walk.up();
  // `(a)` is `a` with parentheses in its text.
  return term ? { ...term, ...written } : { kind: 'other', ...written };
}

/**
 * A term with its accessors. The grammar has `a`, `.b` and `[c]` as siblings, so this moves to the first sibling that
 * is not part of the term, or to the last one.
 */
function readTerm(reading: TerraformReading, depth: number): Expression | null {
  const { walk, text } = reading;
  const start = walk.start;
  let end = walk.end;
  let term: Expression | null = null;
  if (walk.type === '(') {
    if (!walk.next()) return null;
    term = readExpression(reading, depth + 1);
    if (!walk.next()) return term;
    end = walk.end;
    term = { ...term, range: { start, end }, text: text.slice(start, end) };
  } else term = readPlainTerm(reading, depth);
  if (!term) return null;
  const steps: TraversalStep[] = [];
  while (walk.next()) {
    const type = walk.type;
    if (type !== 'get_attr' && type !== 'index' && type !== 'splat') break;
    end = walk.end;
    readSteps(reading, steps, depth);
  }
  return steps.length === 0
    ? term
    : traversalExpression(term, steps, { range: { start, end }, text: text.slice(start, end) });
}

function readPlainTerm(reading: TerraformReading, depth: number): Expression | null {
  const { walk } = reading;
  const written = currentNode(reading);
  switch (walk.type) {
    case 'literal_value':
      return readLiteral(reading);
    case 'variable_expr':
      return { kind: 'reference', path: written.text, steps: [written.text], ...written };
    case 'template_expr':
      return readTemplate(reading, depth);
    case 'collection_value':
    case 'for_expr':
    case 'operation': {
      walk.down();
      const inner = readComposite(reading, depth + 1);
      walk.up();
      return inner;
    }
    case 'function_call':
    case 'conditional':
      return readComposite(reading, depth);
    default:
      return null;
  }
}

/** Nodes with several expressions as children. */
function readComposite(reading: TerraformReading, depth: number): Expression {
  const { walk } = reading;
  const written = currentNode(reading);
  if (depth > MAX_DEPTH) {
    addProblem(reading, written.range.start, `values are nested more than ${MAX_DEPTH} levels deep`);
    return { kind: 'other', ...written };
  }
  switch (walk.type) {
    case 'tuple':
      return { kind: 'list', items: readChildren(reading, depth), ...written };
    case 'object':
      return { kind: 'object', entries: readEntries(reading, depth), ...written };
    case 'conditional':
      return conditional(readChildren(reading, depth), written);
    case 'function_call':
      return readCall(reading, depth, written);
    case 'for_tuple_expr':
    case 'for_object_expr':
      return forExpression(readForParts(reading, depth), written);
    case 'unary_operation':
    case 'binary_operation':
      return readOperation(reading, depth, written);
    default:
      return { kind: 'other', ...written };
  }
}

function readChildren(reading: TerraformReading, depth: number): Expression[] {
  const { walk } = reading;
  const found: Expression[] = [];
  walk.forEachChild(() => {
    if (walk.type === 'expression') found.push(readExpression(reading, depth + 1));
  });
  return found;
}

/** `a ? b : c ? d : e` means `a ? b : (c ? d : e)`; the grammar reads `(a ? b : c) ? d : e`. */
function conditional(parts: Expression[], written: Written): Expression {
  const [condition, whenTrue, whenFalse] = parts;
  if (!condition || !whenTrue || !whenFalse) return { kind: 'other', ...written };
  if (condition.kind !== 'conditional' || condition.text.startsWith('(')) {
    return { kind: 'conditional', condition, whenTrue, whenFalse, ...written };
  }
  const { start } = condition.whenFalse.range;
  const rest = { range: { start, end: written.range.end }, text: written.text.slice(start - written.range.start) };
  return {
    kind: 'conditional',
    condition: condition.condition,
    whenTrue: condition.whenTrue,
    whenFalse: conditional([condition.whenFalse, whenTrue, whenFalse], rest),
    ...written,
  };
}

function readCall(reading: TerraformReading, depth: number, written: Written): Expression {
  const { walk, text } = reading;
  let name = '';
  let args: Expression[] = [];
  walk.forEachChild(() => {
    if (walk.type === 'identifier') name = currentText(reading);
    else if (walk.type === 'function_arguments') args = readChildren(reading, depth);
  });
  const last = args.at(-1);
  const expandLast = last !== undefined && /^\s*\.\.\./.test(text.slice(last.range.end, written.range.end));
  return { kind: 'call', name, args, expandLast, ...written };
}

function readOperation(reading: TerraformReading, depth: number, written: Written): Expression {
  const { walk } = reading;
  const operands: Expression[] = [];
  let operator = '';
  walk.down();
  if (walk.type === '-' || walk.type === '!') {
    operator = walk.type;
    walk.next();
  }
  const first = readTerm(reading, depth + 1);
  if (first) operands.push(first);
  if (operator === '') {
    operator = walk.type;
    if (walk.next()) {
      const second = readTerm(reading, depth + 1);
      if (second) operands.push(second);
    }
  }
  walk.up();
  const [only] = operands;
  if (operator === '-' && operands.length === 1 && only?.kind === 'literal' && typeof only.value === 'number') {
    return { ...only, value: -only.value, ...written };
  }
  return { kind: 'operation', operator, operands, ...written };
}

function readEntries(reading: TerraformReading, depth: number): ObjectEntry[] {
  const { walk, lines } = reading;
  const entries: ObjectEntry[] = [];
  walk.forEachChild(() => {
    if (walk.type !== 'object_elem') return;
    const { range } = walk;
    const [written, value] = readChildren(reading, depth);
    if (!written || !value) return;
    const isName = written.kind === 'reference' && written.steps.length === 1 && !written.text.startsWith('(');
    const key = isName ? literalExpression(written.path, { range: written.range, text: written.text }) : written;
    const name = key.kind === 'literal' ? String(key.value) : key.text;
    entries.push({ ...placedAttribute(lines, { name, nameRange: key.range, range, value }), key });
  });
  return entries;
}

function readForParts(reading: TerraformReading, depth: number): ForParts {
  const { walk } = reading;
  const parts: ForParts = { names: [], collection: [], results: [], condition: null, grouped: false };
  const readIntro = () => {
    if (walk.type === 'identifier') parts.names.push(currentText(reading));
    else if (walk.type === 'expression') parts.collection.push(readExpression(reading, depth + 1));
  };
  walk.forEachChild(() => {
    if (walk.type === 'for_intro') walk.forEachChild(readIntro);
    else if (walk.type === 'expression') parts.results.push(readExpression(reading, depth + 1));
    else if (walk.type === 'for_cond') parts.condition = readChildren(reading, depth)[0] ?? null;
    else if (walk.type === 'ellipsis') parts.grouped = true;
  });
  return parts;
}

function readLiteral(reading: TerraformReading): Expression {
  const written = currentNode(reading);
  if (written.text.startsWith('"')) return onOneLine(reading, quotedExpression(written, []));
  const value =
    written.text === 'null' ? null : written.text === 'true' || (written.text !== 'false' && Number(written.text));
  return literalExpression(value, written);
}

/** Only the computed parts. The text between them is taken from the source, since the grammar drops blanks there. */
function readTemplate(reading: TerraformReading, depth: number): Expression {
  const { walk } = reading;
  const written = currentNode(reading);
  const computed: TemplatePart[] = [];
  walk.down();
  const heredoc = walk.type === 'heredoc_template';
  walk.forEachChild(() => {
    if (walk.type !== 'template_interpolation' && walk.type !== 'template_directive') return;
    const part = currentNode(reading);
    const inner = walk.type === 'template_interpolation' ? readChildren(reading, depth)[0] : undefined;
    computed.push({ range: part.range, expression: inner ?? { kind: 'other', ...part } });
  });
  walk.up();
  return heredoc ? heredocExpression(written, computed) : onOneLine(reading, quotedExpression(written, computed));
}

/** The grammar accepts a quoted string over several lines. For Terraform, a quote is missing. */
function onOneLine(reading: TerraformReading, expression: Expression): Expression {
  const parts = expression.kind === 'template' ? expression.parts : [expression];
  if (parts.some((part) => part.kind === 'literal' && part.text.includes('\n'))) {
    addProblem(reading, expression.range.start, 'this string is not closed on its line: a " is missing');
  }
  return expression;
}

function readSteps(reading: TerraformReading, steps: TraversalStep[], depth: number): void {
  const { walk } = reading;
  const { type, end } = walk;
  if (type === 'get_attr') {
    steps.push({ kind: 'name', name: currentText(reading).replace(/^\.\s*/, ''), end });
    return;
  }
  if (type === 'legacy_index') {
    steps.push({ kind: 'name', name: Number(currentText(reading).slice(1)), end });
    return;
  }
  if (type === 'new_index') {
    const [index] = readChildren(reading, depth);
    if (!index) return;
    const value = index.kind === 'literal' ? index.value : null;
    const isConstant = typeof value === 'string' || typeof value === 'number';
    steps.push(isConstant ? { kind: 'name', name: value, end } : { kind: 'index', index, end });
    return;
  }
  if (type === 'attr_splat' || type === 'full_splat')
    steps.push({ kind: 'splat', end: walk.start + (type === 'attr_splat' ? 2 : 3) });
  walk.forEachChild(() => readSteps(reading, steps, depth));
}
