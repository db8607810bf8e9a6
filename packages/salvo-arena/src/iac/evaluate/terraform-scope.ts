import { referencePath } from '../syntax/build-expression.ts';
import { accessed, evaluate, type Place, undecided } from './evaluate.ts';
import { attributeValue, type InstanceBody, instanceBody } from './instance-body.ts';
import { type InstanceKey, instanceKeys } from './instance-keys.ts';
import { keyedPath, type ModuleInstance } from './module-calls.ts';
import { isUnknown, type PartialValue, placeholder, Unknown } from './partial-value.ts';
import { policyDocument } from './policy-document.ts';
import { terraformCall } from './terraform-call.ts';
import type { ModuleBlock } from './terraform-module.ts';
import { jsonText } from './value.ts';
import { convertedTo } from './variable-type.ts';

export function placeIn(instance: ModuleInstance, names: ReadonlyMap<string, PartialValue> = new Map()): Place {
  return { reference: (steps) => referred(instance, steps), call: terraformCall, names, work: instance.work };
}

/** The instances of a block in a module. */
export function bodiesOf(
  instance: ModuleInstance,
  block: ModuleBlock,
): { body: InstanceBody; key: InstanceKey['key'] }[] {
  return instanceKeys(block.attributes, placeIn(instance)).map((key) => ({
    body: bodyOf(instance, block, key),
    key: key.key,
  }));
}

function bodyOf(instance: ModuleInstance, content: ModuleBlock, key: InstanceKey): InstanceBody {
  return instanceBody(content, placeIn(instance, key.names), key.certain && isCertain(instance));
}

function isCertain({ call }: ModuleInstance): boolean {
  return call === null || (call.key.certain && isCertain(call.from));
}

function referred(instance: ModuleInstance, steps: readonly (string | number)[]): PartialValue {
  const [root, name, ...rest] = steps;
  if (root === 'var') return accessed(variable(instance, String(name)), rest);
  if (root === 'local') return accessed(local(instance, String(name)), rest);
  if (root === 'module') return output(instance, String(name), rest);
  if (root === 'path' || root === 'terraform' || root === 'self' || root === 'each' || root === 'count') {
    return new Unknown(`${referencePath(steps)} is not known here`, placeholder(referencePath(steps)));
  }
  // Terraform rejects `True`, but who wrote it meant the boolean, and scanners read it as such.
  if (steps.length === 1 && /^(?:true|false)$/i.test(String(root))) return String(root).toLowerCase() === 'true';
  const length = root === 'data' ? 3 : 2;
  const address = steps.slice(0, length).join('.');
  return attributeOf(instance, address, steps.slice(length));
}

function variable(instance: ModuleInstance, name: string): PartialValue {
  const path = `var.${name}`;
  const declared = instance.module.blocks.get(path);
  if (!declared) return new Unknown(`there is no ${path}`, placeholder(path));
  const { call } = instance;
  return instance.once(path, path, () => {
    const type = declared.attributes.get('type')?.it.value;
    const input = call ? call.block.attributes.get(name) : instance.module.values.get(name);
    if (input) {
      if (call && instance.work.plain) return undecided(path);
      const given = evaluate(input.it.value, call ? placeIn(call.from, call.key.names) : placeIn(instance));
      if (given !== null || !call) return convertedTo(type, given, placeIn(instance));
    }
    const standard = declared.attributes.get('default');
    if (standard) return convertedTo(type, evaluate(standard.it.value, placeIn(instance)), placeIn(instance));
    return new Unknown(`variable ${name} has no default`, placeholder(instance.prefix + path));
  });
}

function local(instance: ModuleInstance, name: string): PartialValue {
  const path = `local.${name}`;
  const attribute = instance.module.locals.get(name);
  if (!attribute) return new Unknown(`there is no ${path}`, placeholder(path));
  return instance.once(path, path, () => evaluate(attribute.it.value, placeIn(instance)));
}

function output(instance: ModuleInstance, name: string, rest: readonly (string | number)[]): PartialValue {
  const text = placeholder(`${instance.prefix}${referencePath(['module', name, ...rest])}`);
  const children = instance.children.get(name) ?? [];
  const keyed = children.some(({ call }) => call?.key.key !== null);
  const child = keyed ? children.find(({ call }) => call?.key.key === rest[0]) : children[0];
  const [wanted, ...inside] = keyed ? rest.slice(1) : rest;
  const value = child?.module.blocks.get(`output.${wanted}`)?.attributes.get('value');
  if (!child || !value || wanted === undefined) return new Unknown(`module ${name} is not known from here`, text);
  const found = child.once(`output.${wanted}`, `module.${name}.${wanted}`, () =>
    evaluate(value.it.value, placeIn(child)),
  );
  // With the plain reach, the resource that an output refers to is known, but not its value.
  if (instance.work.plain && !isUnknown(found)) return undecided(referencePath(['module', name, ...rest]));
  return accessed(found, inside);
}

/** An attribute that is set in a resource or data source. All others are known after apply. */
function attributeOf(instance: ModuleInstance, address: string, rest: readonly (string | number)[]): PartialValue {
  const found = instance.module.blocks.get(address);
  const isRepeated = found?.attributes.has('count') === true || found?.attributes.has('for_each') === true;
  const [first = null] = rest;
  const path =
    isRepeated && first !== '*'
      ? `${keyedPath(address, first)}${referencePath(['', ...rest.slice(1)])}`
      : `${address}${referencePath(['', ...rest])}`;
  if (!found) return new Unknown(`there is no ${address}`, placeholder(instance.prefix + path));
  const refersTo = instance.prefix + address;
  const later = () => new Unknown(`${path} is known after apply`, placeholder(instance.prefix + path), { refersTo });
  const [name, ...inside] = isRepeated ? rest.slice(1) : rest;
  if (typeof name !== 'string') return later();
  const isPolicy = address.startsWith('data.aws_iam_policy_document.') && name === 'json';
  const keyName = keyNameOf(address, name);
  if (keyName !== null && keyName !== name) {
    const key = attributeOf(instance, address, isRepeated ? rest.slice(0, 1).concat(keyName) : [keyName]);
    return typeof key === 'string' && MANAGED_KEY.test(key) ? key : later();
  }
  if (!isPolicy && !found.attributes.has(name)) return later();
  const key = isRepeated ? `${address}[${JSON.stringify(rest[0])}].${name}` : `${address}.${name}`;
  const value = instance.once(key, path, () => {
    const keys = instanceKeys(found.attributes, placeIn(instance));
    // With an unknown `count` or `for_each`, the one instance that there may be is the one that is meant.
    const at = isRepeated
      ? (keys.find((candidate) => candidate.key === rest[0]) ?? keys.find(({ certain }) => !certain))
      : keys[0];
    if (!at) return later();
    const body = bodyOf(instance, found, at);
    return isPolicy ? jsonText(policyDocument(body)) : (attributeValue(body, name) ?? later());
  });
  return accessed(value, inside);
}

/** A key that AWS manages has the same alias in every account, so the alias says as much as the ARN would. */
const MANAGED_KEY = /^(?:arn:[^:]*:kms:[^:]*:[^:]*:)?alias\/aws\//;

/** The attribute of a data source that says which key it looks up, if `name` is an attribute that identifies the key. */
function keyNameOf(address: string, name: string): 'key_id' | 'name' | null {
  if (!/^(?:arn|id|key_id|target_key_arn|target_key_id)$/.test(name)) return null;
  if (address.startsWith('data.aws_kms_key.')) return 'key_id';
  return address.startsWith('data.aws_kms_alias.') ? 'name' : null;
}
