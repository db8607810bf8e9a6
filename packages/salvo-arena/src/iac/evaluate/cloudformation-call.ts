import type { CallExpression } from '../syntax/expression.ts';
import { evaluate, isTrue, type Place, templateResult, undecided } from './evaluate.ts';
import { isEqual, operationResult, textOf } from './operators.ts';
import {
  isList,
  isObject,
  isUnknown,
  makeList,
  makeObject,
  NO_VALUE,
  type PartialValue,
  placeholder,
  Unknown,
} from './partial-value.ts';
import { jsonText } from './value.ts';

/** The parts of a template that functions use. */
export interface Template {
  condition(name: string): PartialValue;
  mapping(map: string, key: string, name: string): PartialValue | undefined;
}

/** The result of an intrinsic function of CloudFormation. */
export function cloudFormationCall(template: Template, call: CallExpression, place: Place): PartialValue {
  const text = placeholder(call.text);
  const { name, args } = call;
  if (name === 'Fn::If') return chosen(template, call, place, text);
  if (name === 'Fn::Sub') return substituted(call, place);
  const values = args.map((argument) => evaluate(argument, place));
  const [first = null, second = null, third = null, fourth = null] = values;
  const unknown = values.find(isUnknown);
  switch (name) {
    case 'Condition':
      return template.condition(textOf(first));
    case 'Fn::Equals': {
      const equal = isEqual(comparable(first), comparable(second));
      return equal ?? new Unknown(unknown?.reason ?? 'not known', text);
    }
    case 'Fn::Not':
      return operationResult('!', [conditionValue(template, first)], text);
    case 'Fn::And':
    case 'Fn::Or':
      return values
        .map((value) => conditionValue(template, value))
        .reduce((left, right) => operationResult(name === 'Fn::And' ? '&&' : '||', [left, right], text));
    case 'Fn::Join':
      return joined(first, second);
    case 'Fn::ToJsonString':
      return jsonText(first);
    default:
  }
  if (unknown) return new Unknown(unknown.reason, text);
  switch (name) {
    case 'Fn::FindInMap':
      if (place.work.plain && args.some(({ kind }) => kind !== 'literal')) return undecided(call.text);
      return template.mapping(textOf(first), textOf(second), textOf(third)) ?? withDefault(fourth, text);
    case 'Fn::Select': {
      const found = isList(second) ? second[Number(first)] : undefined;
      return found ?? new Unknown('there is no such element', text);
    }
    case 'Fn::Split':
      return makeList(textOf(second).split(textOf(first) || '\u0000'));
    case 'Fn::Length':
      return isList(first) ? first.length : values.length;
    default:
      return new Unknown(`${name} is known after the deployment`, text);
  }
}

/** The name of a condition is a text: `!If [IsProd, a, b]`. */
function chosen(template: Template, { args }: CallExpression, place: Place, text: string): PartialValue {
  const [name, whenTrue, whenFalse] = args;
  if (!name || !whenTrue || !whenFalse) return new Unknown('Fn::If needs three arguments', text);
  if (place.work.plain) return undecided(text);
  const condition = conditionValue(template, evaluate(name, place));
  if (isUnknown(condition)) return new Unknown(condition.reason, text);
  return evaluate(isTrue(condition) ? whenTrue : whenFalse, place);
}

function conditionValue(template: Template, value: PartialValue): PartialValue {
  if (isObject(value) && typeof value.Condition === 'string') return template.condition(value.Condition);
  return typeof value === 'string' && value !== 'true' && value !== 'false' ? template.condition(value) : value;
}

/** CloudFormation compares texts: the parameter `"true"` equals `true`. */
function comparable(value: PartialValue): PartialValue {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

function joined(separator: PartialValue, list: PartialValue): PartialValue {
  if (isUnknown(list)) return list;
  if (!isList(list)) return new Unknown('Fn::Join needs a list', placeholder('Fn::Join'));
  const parts = list.flatMap((item, index) => (index === 0 ? [item] : [separator, item]));
  return parts.length === 0 ? '' : parts.length === 1 ? (parts[0] ?? '') : templateResult(parts);
}

function substituted({ args }: CallExpression, place: Place): PartialValue {
  const [template, variables] = args;
  if (!template) return NO_VALUE;
  const values = variables ? evaluate(variables, place) : makeObject([]);
  const names = new Map(place.names);
  if (isObject(values)) for (const [name, value] of Object.entries(values)) names.set(name, value);
  return evaluate(template, { ...place, names });
}

function withDefault(options: PartialValue, text: string): PartialValue {
  if (isObject(options) && options.DefaultValue !== undefined) return options.DefaultValue;
  return new Unknown('there is no such entry in the mapping', text);
}
