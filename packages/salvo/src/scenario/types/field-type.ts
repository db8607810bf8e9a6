import type { ExpressionTree } from '../../text/json/expression.ts';
import { didYouMean, suggestion } from '../../text/words/did-you-mean.ts';
import { some } from '../../text/words/value-words.ts';
import {
  ANYTHING,
  canBe,
  describeType,
  fieldOf,
  isUnknown,
  kindsOf,
  type MapType,
  NEVER,
  orMissing,
} from './value-type.ts';
import type { ExpressionProblem, Typed, Walk } from './walk.ts';

type FieldNode = Extract<ExpressionTree, { type: 'Field' }>;

/** The type of a field of a value. Reports a field that the value never has. */
export function fieldType(node: FieldNode, at: Typed, walk: Walk): Typed {
  const name = at.name === '' ? node.name : `${at.name}.${node.name}`;
  const { type } = at;
  if (type === ANYTHING) return { type, name };
  if (isUnknown(type)) return { type: NEVER, name };
  const { map } = type;
  if (!map) return walk.fail(node, noFields(node.name, at));
  if (!map.fields.has(node.name) && map.others === null) {
    const names = [...map.fields.keys()];
    const guess = suggestion(node.name, names) ?? nestedSuggestion(node.name, map);
    const all = names.length > 0 ? `there are: ${some(names)}` : undefined;
    return walk.fail(node, {
      code: 'unknown-path',
      message: at.name === '' ? `there is no "${node.name}"` : `${at.name} has no field "${node.name}"`,
      hint: literalHint(node, walk) ?? ([guess, all].filter((part) => part !== undefined).join(' ') || undefined),
    });
  }
  const found = fieldOf(map, node.name);
  return { type: kindsOf(type).length > 1 ? orMissing(found) : found, name };
}

/** `turn_count` instead of `metadata.turn_count`: a field that is one level below. */
function nestedSuggestion(name: string, { fields }: MapType): string | undefined {
  const paths = new Map(
    [...fields].flatMap(([parent, type]) =>
      type === ANYTHING
        ? []
        : [...(type.map?.fields.keys() ?? [])].map((child) => [child, `${parent}.${child}`] as const),
    ),
  );
  const guess = didYouMean(name, paths.keys());
  return guess === undefined ? undefined : `did you mean "${paths.get(guess)}"?`;
}

function noFields(field: string, { name, type }: Typed): Omit<ExpressionProblem, 'offset'> {
  const what = name === '' ? 'the value' : name;
  const hint = canBe(type, 'list')
    ? `${name}[0].${field} is of its first entry, ${name}[*].${field} of all`
    : canBe(type, 'text')
      ? 'a text is not read as JSON; output_json checks an answer that is JSON'
      : undefined;
  return {
    code: 'unknown-path',
    message: `${what} is ${describeType(type)}, so it has no field "${field}"`,
    hint,
  };
}

/** `role == "user"` and `is_error == true` compare with fields of that name, which is not what they look like. */
function literalHint(node: FieldNode, walk: Walk): string | undefined {
  if (walk.placeOf(node)?.quoted) return `a text is in single quotes: '${node.name}'; double quotes name a field`;
  return /^(?:true|false|null)$/.test(node.name)
    ? `write \`${node.name}\` in backticks; without, it names a field`
    : undefined;
}
