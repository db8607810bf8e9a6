import type { SeededChoice } from '../../../templates/seeded-choice.ts';
import type { HidingPlace } from './technique.ts';

/**
 * One of several names that the code does not use yet; with a number at its end if all are used. Numbers should be
 * rare, since they show which of two declarations was planned first.
 */
export function freshName(
  { project, written, choice }: Pick<HidingPlace, 'project' | 'written' | 'choice'>,
  ...names: readonly [string, ...string[]]
): string {
  const isTaken = (name: string) => {
    const pattern = new RegExp(`(?<![\\w-])${name}(?![\\w-])`);
    return pattern.test(written) || project.files.some(({ text }) => pattern.test(text));
  };
  const wanted = choice.shuffled(names).find((name) => !isTaken(name)) ?? names[0];
  let name = wanted;
  for (let number = 2; isTaken(name); number += 1) name = `${wanted}${/\d$/.test(wanted) ? '_' : ''}${number}`;
  return name;
}

/**
 * The name of a variable for a setting of a resource: `storage_encrypted` or `orders_storage_encrypted`. Templates have
 * both kinds of names.
 */
export function settingName(place: HidingPlace, address: string, setting: string): string {
  const short = snakeCase(setting);
  const long = snakeName(address, setting);
  const longest = snakeName(address, `${lastWord(address)}_${short}`);
  return short.includes('_') ? freshName(place, long, short, longest) : freshName(place, long, longest);
}

/** The name of a table of settings: `orders_profile`, `orders_instance_profile`. */
export function tableName(place: HidingPlace, address: string, kinds: readonly [string, ...string[]]): string {
  const [first, ...others] = kinds.flatMap((kind) => [
    snakeName(address, kind),
    snakeName(address, `${lastWord(address)}_${kind}`),
  ]);
  return freshName(place, first ?? 'settings', ...others);
}

/** The same in CloudFormation: `OrdersProfile`. */
export function templateName(place: HidingPlace, address: string, kinds: readonly [string, ...string[]]): string {
  const [first, ...others] = kinds.map((kind) => pascalName(ownName(address), kind));
  return freshName(place, first ?? 'Settings', ...others);
}

/** A word for a switch that does not tell whether it is better on or off. */
export function ambiguousWord(choice: SeededChoice): string {
  return choice.one(['shared', 'managed', 'standard', 'common']) ?? 'shared';
}

function lastWord(address: string): string {
  return kindWords(address).split(' ').at(-1) ?? '';
}

/** `orders_storage_encrypted`. */
export function snakeName(address: string, setting: string): string {
  const name = snakeCase(ownName(address));
  const rest = snakeCase(setting);
  return rest.startsWith(`${name}_`) || rest === name ? rest : `${name}_${rest}`;
}

/** `OrdersStorageEncrypted`. CloudFormation allows only letters and digits. */
export function pascalName(...parts: string[]): string {
  return parts
    .flatMap(words)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** The last part of an address. */
export function ownName(address: string): string {
  return address.split('.').at(-1) ?? address;
}

/** `Backup window of the orders instance.` */
export function settingDescription({ choice }: HidingPlace, address: string, setting: string): string {
  const what = settingWords(setting);
  const texts = [`${what} of the ${thingWords(address)}.`, `${what} for ${settingWords(ownName(address))}.`];
  const text = choice.one(texts) ?? '';
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `orders instance` of `aws_db_instance.orders`. */
export function thingWords(address: string): string {
  const own = settingWords(ownName(address));
  const kind = kindWords(address);
  return own.endsWith(kind) ? own : `${own} ${kind}`;
}

/** `flow log` of `aws_flow_log.main`. */
export function kindWords(address: string): string {
  const type = address.replace(/^data\./, '').split('.')[0] ?? '';
  return words(type.replace(/^(?:aws_|AWS::\w+::)/, ''))
    .slice(-2)
    .join(' ')
    .toLowerCase();
}

/** `networks` of `network`, `policies` of `policy`; a plural stays as it is. */
export function plural(name: string): string {
  if (/(?:[^s]s|cidrs|ids)$/.test(name)) return name;
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}

export function settingWords(setting: string): string {
  return words(setting).join(' ').toLowerCase();
}

function snakeCase(name: string): string {
  return words(name).join('_').toLowerCase();
}

function words(name: string): string[] {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').match(/[A-Za-z0-9]+/g) ?? [];
}
