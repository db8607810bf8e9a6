import type { ResourceAddress } from '../claims/resource-address.ts';
import type { Place, PlaceRelation } from './place.ts';

/** How two places stand to each other, for a person. */
export function describePlaces(relation: PlaceRelation, a: Place, b: Place): string {
  switch (relation) {
    case 'same':
      return `same resource: ${nameOf(b)}`;
    case 'part':
      return `${nameOf(a)} and ${nameOf(b)} are parts of one thing`;
    case 'lines':
      return `same place: ${b.file ?? ''} ${linesOf(b)}`;
    case 'near':
      return `${nameOf(a)} and ${nameOf(b)} may belong together`;
    case 'other':
      return a.addresses.length > 0 && b.addresses.length > 0
        ? `${nameOf(b)} is not ${nameOf(a)}`
        : `${b.file ?? ''} is not ${a.file ?? ''}`;
    case 'unknown':
      return 'a side does not say where';
  }
}

function nameOf({ addresses }: Place): string {
  return addresses.slice(0, 2).map(textOf).join(', ');
}

function textOf({ type, name }: ResourceAddress): string {
  return [type, name].filter((part) => part !== null).join('.');
}

function linesOf({ first, last }: Place): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}
