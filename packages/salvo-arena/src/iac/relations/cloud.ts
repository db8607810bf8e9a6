import { remembered } from 'salvo/kit/text';
import type { BlockView } from '../evaluate/block-view.ts';
import type { Scope } from '../evaluate/scope.ts';
import type { Json } from '../evaluate/value.ts';
import { codeReader } from '../read/code-reader.ts';
import { type KindName, kindOf, kindOfType, templateProperty } from './kinds.ts';
import { listOf } from './statement.ts';

/** A resource, or a policy document, after evaluation. */
export interface Thing {
  /** Null for a type that no relation is about; it can still be what a role may use. */
  kind: KindName | null;
  /** Of the block, without module and key: `aws_iam_role.a`, `AWS::IAM::Role.A`. */
  address: string;
  /** `aws_iam_role`, `AWS::IAM::Role`. */
  type: string;
  view: BlockView;
  /** The value at a path of Terraform's names; undefined where there is none. A block is a list of maps. */
  get(path: string): Json | undefined;
  /** The same as a text; empty where there is none. */
  text(path: string): string;
}

/** All resources of a code, and what refers to what. */
export interface Cloud {
  things: readonly Thing[];
  /** Those that certainly exist. */
  all(kind: KindName): readonly Thing[];
  /** The things that values refer to: by a reference, or by the name that a thing has in the cloud. */
  targets(from: Thing, value: Json | undefined, kind?: KindName): Thing[];
  /** The place of an attribute, or of the thing. */
  place(thing: Thing, attribute?: string): { file: string; line: number; end_line: number };
}

const clouds = new WeakMap<Scope, Cloud>();

export function cloudOf(scope: Scope): Cloud {
  return remembered(clouds, scope, () => readCloud(scope));
}

function readCloud(scope: Scope): Cloud {
  const reader = codeReader(scope);
  const things = scope
    .instances()
    .filter(({ certain }) => certain)
    .map((view) => thingOf(view, () => reader.instance(view).json));
  const byKind = Map.groupBy(things, ({ kind }) => kind);
  const byReference = Map.groupBy(things, ({ view }) => referenceTo(view));
  const byName = Map.groupBy(
    things.flatMap((thing) => namesOf(thing).map((name) => ({ name, thing }))),
    ({ name }) => name,
  );
  const found = new Map<string, Thing[]>();
  return {
    things,
    all: (kind) => byKind.get(kind) ?? [],
    targets: (from, value, kind) =>
      listOf(value).flatMap((one) => {
        const text = typeof one === 'string' ? one : JSON.stringify(one);
        const referred = remembered(found, `${from.view.module} ${text}`, () =>
          referencesIn(text).flatMap((name) => byReference.get(`${from.view.module}${name}`) ?? []),
        );
        const named = referred.length > 0 ? [] : (byName.get(text) ?? []).map(({ thing }) => thing);
        return [...new Set([...referred, ...named])].filter((thing) => kind === undefined || thing.kind === kind);
      }),
    place: ({ view }, attribute) => {
      const { language } = languageOf(view);
      const kind = kindOfType(language, typeOf(view));
      const name =
        attribute !== undefined && language === 'cloudformation'
          ? templateProperty(kind ? kindOf(kind) : null, attribute)
          : attribute;
      const { file, line, end_line } = (name === undefined ? null : view.get(name)) ?? view;
      return { file, line, end_line };
    },
  };
}

function languageOf({ type }: BlockView): { language: 'terraform' | 'cloudformation' } {
  return { language: type.includes('::') ? 'cloudformation' : 'terraform' };
}

function typeOf({ kind, type }: BlockView): string {
  return kind === 'data' ? `data.${type}` : type;
}

function thingOf(view: BlockView, jsonOf: () => Json): Thing {
  const { language } = languageOf(view);
  const kind = kindOfType(language, typeOf(view)) ?? null;
  const get = (path: string) => {
    const steps = path.split('.');
    const names = language === 'terraform' ? steps : steps.map((step, at) => inTemplate(kind, step, at));
    return names.reduce<Json | undefined>(valueAt, jsonOf());
  };
  return {
    kind,
    address: view.block.address,
    type: view.type,
    view,
    get,
    text: (path) => {
      const [first] = listOf(get(path));
      return first === undefined || typeof first === 'object' ? '' : String(first);
    },
  };
}

function inTemplate(kind: KindName | null, step: string, at: number): string {
  return templateProperty(at === 0 && kind ? kindOf(kind) : null, step);
}

/** Of every element, if this is a list. */
function valueAt(json: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(json)) {
    const inner = json.flatMap((item) => listOf(valueAt(item, name)));
    return inner.length === 0 ? undefined : inner;
  }
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, name)) return undefined;
  return json[name];
}

/** How the code refers to it: `module.x.aws_iam_role.a`, in a template `A`. */
function referenceTo({ module, block, type, name }: BlockView): string {
  return type.includes('::') ? name : `${module}${block.address}`;
}

/** `aws_iam_role.a` in `${aws_iam_role.a.arn}/*`, `A` in `${A.Arn}`. */
function referencesIn(text: string): string[] {
  return [...text.matchAll(/\$\{([\w.:[\]"-]+)\}/g)].map(([, path = '']) => {
    const steps = path.replaceAll(/\[[^[\]]*\]/g, '').split('.');
    if (steps[0] === 'data') return steps.slice(0, 3).join('.');
    return /^[a-z]+_/.test(steps[0] ?? '') ? steps.slice(0, 2).join('.') : (steps[0] ?? '');
  });
}

/** The names in the cloud by which other resources may call it. */
function namesOf({ get }: Thing): string[] {
  return ['name', 'family'].flatMap((name) => listOf(get(name))).filter((name) => typeof name === 'string');
}
