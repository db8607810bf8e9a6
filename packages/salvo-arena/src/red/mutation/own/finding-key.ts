import type { Finding } from '../../../match/claims/finding.ts';

/** A finding of our rules, whatever line it is at. */
export function findingKey({ rule_id, resource, file }: Finding): string {
  return [rule_id, ...[resource ?? []].flat(), file].join(' ');
}

/** An address without the modules at its beginning. */
export function withoutModules(address: string): string {
  return address.replace(/^(?:module\.[\w-]+(?:\[[^\]]*\])?\.)+(?=.)/, '');
}
