import { addressKey, type ResourceAddress, sameAddress } from '../claims/resource-address.ts';

/** Finds who names the same resource without comparing everyone with everyone. */
export interface ResourceIndex {
  /** Lists of the members that name one of these resources. A member can be in several. */
  membersNaming(addresses: readonly ResourceAddress[]): readonly (readonly number[])[];
}

interface Entry {
  address: ResourceAddress;
  members: number[];
}

/** @param addressesOf What each member names, by its number. */
export function createResourceIndex(addressesOf: readonly (readonly ResourceAddress[])[]): ResourceIndex {
  /** Addresses that may be the same, each once however many members name it. */
  const byKey = new Map<string, Entry[]>();
  const entryOf = new Map<string, Entry>();
  for (const [member, addresses] of addressesOf.entries()) {
    for (const address of addresses) {
      const whole = [address.module, address.type ?? '', address.name ?? ''].join('\n');
      let entry = entryOf.get(whole);
      if (entry === undefined) {
        entry = { address, members: [] };
        entryOf.set(whole, entry);
        const key = addressKey(address);
        const entries = byKey.get(key);
        if (entries) entries.push(entry);
        else byKey.set(key, [entry]);
      }
      if (entry.members.at(-1) !== member) entry.members.push(member);
    }
  }

  return {
    membersNaming(addresses) {
      const lists: (readonly number[])[] = [];
      for (const address of addresses) {
        for (const entry of byKey.get(addressKey(address)) ?? []) {
          if (sameAddress(address, entry.address)) lists.push(entry.members);
        }
      }
      return lists;
    },
  };
}
