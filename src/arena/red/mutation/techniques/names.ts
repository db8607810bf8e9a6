import type { HidingPlace } from './technique.ts';

/** A name that the code does not use yet; with a number at its end if necessary. */
export function freshName({ project, written }: Pick<HidingPlace, 'project' | 'written'>, wanted: string): string {
  const isTaken = (name: string) => {
    const pattern = new RegExp(`(?<![\\w-])${name}(?![\\w-])`);
    return pattern.test(written) || project.files.some(({ text }) => pattern.test(text));
  };
  let name = wanted;
  for (let number = 2; isTaken(name); number += 1) name = `${wanted}${/\d$/.test(wanted) ? '_' : ''}${number}`;
  return name;
}

/** `orders_storage_encrypted`: the name of a variable for a setting of a resource. */
export function snakeName(address: string, setting: string): string {
  const name = words(ownName(address)).join('_').toLowerCase();
  const rest = words(setting).join('_').toLowerCase();
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

/** `storage encrypted`, for a description. */
export function settingWords(setting: string): string {
  return words(setting).join(' ').toLowerCase();
}

function words(name: string): string[] {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').match(/[A-Za-z0-9]+/g) ?? [];
}
