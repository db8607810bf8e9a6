import { parse, stringify, type Tags, type YAMLMap, type YAMLSeq } from 'yaml';
import { type Form, type Json, type JsonMap, mapOf } from './terraform-forms.ts';

export const TEMPLATE_FORMS: Record<string, Form> = {
  JSON: ({ text }) => ({ 'template.json': JSON.stringify(parsedTemplate(text)) }),
  'defaults of parameters': ({ text }) => {
    const { template, values } = withNames(text, (at) => ({ Ref: `V${at}` }));
    const parameters = values.map((value, at) => [`V${at}`, { Type: 'String', Default: String(value) }]);
    const all = { ...mapOf(template.Parameters), ...Object.fromEntries(parameters) };
    return { 'template.yaml': stringify({ ...template, Parameters: all }) };
  },
  'a mapping': ({ text }) => {
    const { template, values } = withNames(text, (at) => ({ 'Fn::FindInMap': ['All', 'These', `V${at}`] }));
    const all = { These: Object.fromEntries(values.map((value, at) => [`V${at}`, value])) };
    return { 'template.yaml': stringify({ ...template, Mappings: { ...mapOf(template.Mappings), All: all } }) };
  },
  'a loop': ({ text }) => {
    const { Resources: resources, ...rest } = parsedTemplate(text);
    const [[name, resource] = ['', null], ...others] = Object.entries(mapOf(resources));
    if (resource === null || others.length > 0) return null;
    const loop = ['Id', ['A', 'B'], { [`${name}\${Id}`]: resource }];
    return { 'template.yaml': stringify({ ...rest, Resources: { 'Fn::ForEach::All': loop } }) };
  },
};

/** A template whose properties have names for their values, and these values. */
function withNames(text: string, nameOf: (at: number) => Json): { template: JsonMap; values: Json[] } {
  const values: Json[] = [];
  const renamed = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(renamed);
    if (typeof value === 'object') return isCall(value) ? value : mapped(mapOf(value), renamed);
    values.push(value);
    return nameOf(values.length - 1);
  };
  const template = parsedTemplate(text);
  const resources = mapped(mapOf(template.Resources), (resource) => {
    const { Properties: properties, ...rest } = mapOf(resource);
    return properties === undefined ? rest : { ...rest, Properties: renamed(properties) };
  });
  return { template: { ...template, Resources: resources }, values };
}

function mapped(map: JsonMap, change: (value: Json) => Json): JsonMap {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
}

/** `{Ref: X}`, `{"Fn::Sub": "..."}`; and null, which is no value. */
function isCall(value: Json): boolean {
  const [name = '', ...others] = Object.keys(mapOf(value));
  return value === null || (others.length === 0 && (name === 'Ref' || name.startsWith('Fn::')));
}

const FUNCTIONS = [
  ...['Ref', 'GetAtt', 'Sub', 'If', 'Join', 'Select', 'Split', 'FindInMap', 'Equals', 'Not', 'And', 'Or'],
  ...['Condition', 'ImportValue', 'GetAZs', 'Base64', 'Cidr'],
];

const TAGS: Tags = FUNCTIONS.flatMap((name) => {
  const tag = `!${name}`;
  const resolve = (value: YAMLMap | YAMLSeq) => longForm(name, value.toJSON());
  return [
    { tag, resolve: (value: string) => longForm(name, value) },
    { tag, collection: 'seq' as const, resolve },
    { tag, collection: 'map' as const, resolve },
  ];
});

/** A template with the functions in their long form. */
function parsedTemplate(text: string): JsonMap {
  return mapOf(parse(text, { customTags: TAGS, logLevel: 'silent' }));
}

function longForm(name: string, value: Json): Json {
  if (name === 'GetAtt' && typeof value === 'string') return { 'Fn::GetAtt': value.split('.', 2) };
  return { [name === 'Ref' || name === 'Condition' ? name : `Fn::${name}`]: value };
}
