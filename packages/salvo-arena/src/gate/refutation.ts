import { cutEnd } from 'salvo/kit/text';
import { phrases, plainWords, says } from './claim-words.ts';
import { type Fact, leadsThrough } from './code-facts.ts';
import type { GatedClaim } from './gated-claim.ts';
import type { GatedBlock } from './gated-code.ts';
import type { NamedAttribute } from './named-attributes.ts';
import { isSecure, type Safeguard, safeguards } from './safeguards.ts';

/** Why the flaw cannot be there: every setting that would show it is secure. Null when the flaw can be there. */
export function refutation(
  claim: GatedClaim,
  meant: readonly Safeguard[],
  facts: readonly Fact[],
  text: string,
): string | null {
  const words = plainWords(text);
  const looked = meant
    .filter((safeguard) => !says(words, safeguard.except))
    .flatMap((safeguard) => factsOf(safeguard, facts).map((fact) => ({ safeguard, fact })));
  const [first] = looked;
  if (!first) return null;
  const isRight = looked.every(({ safeguard, fact }) => isSecure(safeguard, fact.value, isOff(claim)) === true);
  return isRight ? `${first.fact.path.join('.')} is ${valueText(first.fact.value)}` : null;
}

/** The safeguards below a named attribute that the entry is about. A policy, for example, has more below it. */
export function safeguardsUnder(claim: GatedClaim, named: NamedAttribute, blocks: readonly GatedBlock[]): Safeguard[] {
  const words = plainWords(claim.headline);
  return safeguardsOf(blocks).filter((safeguard) => {
    const isNamed = safeguard.paths.some((names) => names.at(-1) === named.path.at(-1));
    return (isNamed || says(words, safeguard.says)) && factsOf(safeguard, named.facts).length > 0;
  });
}

/** The safeguards that a claim is about. */
export function safeguardsMeant({ headline }: GatedClaim, blocks: readonly GatedBlock[]): Safeguard[] {
  const words = plainWords(headline);
  return safeguardsOf(blocks).filter((safeguard) => says(words, safeguard.says));
}

export function safeguardsOf(blocks: readonly GatedBlock[]): Safeguard[] {
  const types = blocks.map(({ type }) => type.toLowerCase());
  return safeguards().filter(
    (safeguard) =>
      safeguard.types.length === 0 || safeguard.types.some((start) => types.some((type) => type.startsWith(start))),
  );
}

export function factsOf({ paths }: Safeguard, facts: readonly Fact[]): Fact[] {
  return facts.filter(({ path }) => paths.some((names) => path.at(-1) === names.at(-1) && leadsThrough(path, names)));
}

/** Whether the claim is that something is off, rather than too little. */
export function isOff({ text }: GatedClaim): boolean {
  const words = plainWords(text);
  return says(words, phrases().off) && !says(words, phrases().too_little);
}

export function valueText(value: Fact['value']): string {
  return cutEnd(JSON.stringify(value), 80);
}
