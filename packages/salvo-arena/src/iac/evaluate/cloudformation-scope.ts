import type { Attribute } from '../syntax/expression.ts';
import type { Block, SourceFile } from '../syntax/source-file.ts';
import { cloudFormationCall, type Template } from './cloudformation-call.ts';
import { createMemo, evaluate, isTrue, type Place, undecided, type Work } from './evaluate.ts';
import { type InstanceBody, instanceBody } from './instance-body.ts';
import { isObject, isUnknown, makeList, NO_VALUE, type PartialValue, placeholder, Unknown } from './partial-value.ts';
import { implicitApis, templateContent } from './sam-implicit-apis.ts';

/** A template with the defaults of its parameters. */
export function templateInstance(source: SourceFile, work: Work) {
  const ofType = (type: string) => source.blocks.filter((block) => block.type === type);
  const named = (type: string, at: number) => new Map(ofType(type).map((block) => [block.labels[at] ?? '', block]));
  const section = (type: string) => {
    const attributes = source.blocks.find((block) => block.type === type)?.attributes ?? [];
    return new Map(attributes.map((attribute) => [attribute.name, attribute]));
  };
  const parameters = named('variable', 0);
  const resources = named('resource', 1);
  const [conditions, mappings, globals] = [section('conditions'), section('mappings'), section('globals')];
  const once = createMemo(work);

  const template: Template = {
    condition: (name) => {
      const condition = conditions.get(name);
      if (!condition) return new Unknown(`there is no condition ${name}`, placeholder(name));
      return once(`condition ${name}`, `condition ${name}`, () => {
        const value = evaluate(condition.value, place);
        return isObject(value) && typeof value.Condition === 'string' ? template.condition(value.Condition) : value;
      });
    },
    mapping: (map, key, name) => {
      const value = mappings.get(map)?.value;
      const entry = value?.kind === 'object' ? value.entries.find((one) => one.name === key)?.value : undefined;
      const found = entry?.kind === 'object' ? entry.entries.find((one) => one.name === name)?.value : undefined;
      return found ? evaluate(found, place) : undefined;
    },
  };
  const place: Place = {
    names: new Map(),
    work,
    call: (call, inner) => cloudFormationCall(template, call, inner),
    reference: (steps) => {
      const path = steps.join('.');
      const [name = ''] = steps;
      if (path === 'AWS::NoValue') return NO_VALUE;
      const parameter = parameters.get(String(name));
      if (parameter) return once(`parameter ${name}`, `parameter ${name}`, () => parameterValue(parameter, place));
      const refersTo = resources.get(String(name))?.address ?? null;
      return new Unknown(`${path} is known after the deployment`, placeholder(path), { refersTo });
    },
  };
  /** Null when its condition is false. */
  const body = (block: Block): InstanceBody | null => {
    const certain = existence(block, place, template);
    return certain === null ? null : instanceBody(templateContent(block, source.file, globals), place, certain);
  };
  // As written, and those that the Serverless Application Model adds.
  return { source, place, resources: [...ofType('resource'), ...implicitApis(source.blocks)], body };
}

/** Whether a resource is certain to exist; null if it is certain not to. */
function existence(block: Block, place: Place, template: Template): boolean | null {
  const condition = block.settings.find(({ name }) => name === 'Condition')?.value;
  const isThere = condition?.kind === 'literal' ? conditionOf(String(condition.value), place, template) : true;
  if (isUnknown(isThere)) return false;
  return isTrue(isThere) ? true : null;
}

function conditionOf(name: string, { work }: Place, template: Template): PartialValue {
  return work.plain ? undecided(name) : template.condition(name);
}

function parameterValue({ labels, attributes }: Block, place: Place): PartialValue {
  const [name = ''] = labels;
  const attribute = (wanted: string): Attribute | undefined => attributes.find(({ name: own }) => own === wanted);
  const standard = attribute('Default');
  if (!standard) return new Unknown(`parameter ${name} has no default`, placeholder(name));
  const value = evaluate(standard.value, place);
  const type = attribute('Type')?.value;
  const typeName = type?.kind === 'literal' ? String(type.value) : '';
  // For these types the default is the name of a value in Systems Manager.
  if (typeName.startsWith('AWS::SSM::')) return new Unknown(`parameter ${name} is kept elsewhere`, placeholder(name));
  if (typeName === 'CommaDelimitedList' || typeName.startsWith('List<')) {
    return makeList(
      String(value)
        .split(',')
        .map((item) => item.trim()),
    );
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}
