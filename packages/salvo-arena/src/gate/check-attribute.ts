import { foldedName } from 'salvo/kit/text';
import { isKnownThroughout } from '../iac/evaluate/value.ts';
import { weaknessById } from '../match/weaknesses/weaknesses.ts';
import { plainWords, says, saysItIsAbsent, speaksOfAbsence } from './claim-words.ts';
import type { Fact } from './code-facts.ts';
import { type Check, failed, passed, unchecked } from './gate-result.ts';
import type { GatedClaim } from './gated-claim.ts';
import type { GatedBlock } from './gated-code.ts';
import { isThere, isWritten, type NamedAttribute, namedAttributes } from './named-attributes.ts';
import { assignmentsIn } from './quoted-code.ts';
import { factsOf, isOff, refutation, safeguardsMeant, safeguardsOf, safeguardsUnder, valueText } from './refutation.ts';
import { isSecure, type Safeguard } from './safeguards.ts';

/**
 * Whether what a claim says about an attribute can be true: the attribute exists, or is missing if that is the claim,
 * and its evaluated value does not rule the flaw out.
 */
export function checkAttribute(claim: GatedClaim, blocks: readonly GatedBlock[], facts: readonly Fact[]): Check {
  if (blocks.length === 0) return unchecked('attribute', 'the resource of the entry is not known');
  const stated = namedAttributes(claim.attributes, blocks, facts);
  if (stated.length > 0) return checkNamed(claim, blocks, facts, stated);
  const quoted = namedAttributes(
    assignmentsIn(claim.evidence).map(({ name }) => name),
    blocks,
    facts,
  ).filter(isThere);
  if (quoted.length === 0) return checkWords(claim, blocks, facts);
  const check = checkNamed(claim, blocks, facts, quoted);
  if (check.outcome !== 'passed' || quoted.some((each) => safeguardsUnder(claim, each, blocks).length > 0))
    return check;
  if (quoted.some((each) => isSwitchedOffAsClaimed(claim, each))) return check;
  // A quote that is not about the claim proves nothing. Mostly it is the name of the resource.
  const words = checkWords(claim, blocks, facts);
  return words.outcome === 'failed' ? words : check;
}

/** `cloudwatch_encryption_mode = "DISABLED"`, and the claim speaks of encryption: whatever else is encrypted. */
function isSwitchedOffAsClaimed(claim: GatedClaim, { text, facts }: NamedAttribute): boolean {
  const said = plainWords(claim.text);
  const words = plainWords(text).trim().split(' ');
  return facts.some(({ value }) => isEmptyOrOff(value)) && words.some((word) => word.length > 3 && says(said, [word]));
}

function checkNamed(
  claim: GatedClaim,
  blocks: readonly GatedBlock[],
  facts: readonly Fact[],
  named: readonly NamedAttribute[],
): Check {
  const lost = named.find((each) => !isThere(each) && !isWritten(each, blocks));
  if (lost) {
    const other = statedValue(claim, lost, blocks);
    if (!speaksOfAbsence(`${claim.text} . ${claim.evidence}`) || other !== null) {
      return failed(
        'attribute',
        `there is no ${lost.text} in ${blocks[0]?.address}${other === null ? '' : `, let alone one with ${other}`}`,
      );
    }
    const others = safeguardsMeant(claim, blocks).filter((safeguard) => !isAnother(safeguard, lost));
    const refuted = refutation(claim, others, facts, claim.headline);
    if (refuted) return failed('attribute', refuted);
    return passed('attribute', `${lost.text} is not there, as claimed`);
  }
  const refuted = named.filter(isThere).map((each) => {
    const near = safeguardsUnder(claim, each, blocks);
    return refutation(claim, near, each.facts, claim.text) ?? contradictedAbsence(claim, each);
  });
  const [reason] = refuted;
  if (reason && refuted.every((each) => each !== null)) return failed('attribute', reason);
  return passed('attribute', `${named.map(({ text }) => text).join(', ')} is there`);
}

/** For a claim that names no attribute: checks what its words, or its weakness, are about. */
function checkWords(claim: GatedClaim, blocks: readonly GatedBlock[], facts: readonly Fact[]): Check {
  const meant = safeguardsMeant(claim, blocks);
  const refuted = refutation(claim, meant, facts, claim.headline);
  if (refuted) return failed('attribute', refuted);
  const weak = meant.flatMap((safeguard) => factsOf(safeguard, facts).map((fact) => ({ safeguard, fact })));
  const [insecure] = weak.filter(({ safeguard, fact }) => isSecure(safeguard, fact.value, isOff(claim)) === false);
  if (insecure) return passed('attribute', `${insecure.fact.path.join('.')} is ${valueText(insecure.fact.value)}`);
  const catalogued = claim.weaknesses.flatMap((id) => attributesOf(id, blocks));
  const there = namedAttributes(catalogued, blocks, facts).filter(isThere);
  const [firstThere] = there;
  if (firstThere) {
    // The entry does not mention these attributes, so their presence proves nothing.
    const check = checkNamed(claim, blocks, facts, there);
    return check.outcome === 'failed' ? check : unchecked('attribute', `${firstThere.text} is there, but not named`);
  }
  const isAbout = meant.length > 0 || catalogued.length > 0;
  if (isAbout && speaksOfAbsence(claim.headline) && weak.length === 0) {
    return passed('attribute', 'nothing of the kind is set, as claimed');
  }
  return unchecked('attribute', 'the entry names no attribute');
}

/** A claim that something is missing is refuted when it is there. */
function contradictedAbsence(claim: GatedClaim, { text, path, facts }: NamedAttribute): string | null {
  const [fact] = facts;
  const name = text.split('.').at(-1) ?? text;
  if (!fact || path.length === 0 || !saysItIsAbsent(`${claim.text} . ${claim.evidence}`, name)) return null;
  const { value } = fact;
  return isEmptyOrOff(value) || !isKnownThroughout(value) ? null : `${text} is said to be missing, but is there`;
}

function isEmptyOrOff(value: Fact['value']): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return /^(?:|null|false|0|none|no|off|disabled|suspended|optional)$/i.test(String(value));
}

/** The value that a claim states for a missing attribute. Null when it states none, or one such as "off". */
function statedValue(claim: GatedClaim, { path }: NamedAttribute, blocks: readonly GatedBlock[]): string | null {
  const said = assignmentsIn(`${claim.text}\n${claim.evidence}`).find(
    ({ name }) => foldedName(name.split('.').at(-1) ?? '') === path.at(-1),
  );
  if (!said) return null;
  const value = said.value.replaceAll(/^["'[\s]+|["'\].\s]+$/g, '').toLowerCase();
  if (/^(?:false|0|null|none|disabled|off|no|not|missing|unset|absent|undefined)?$/.test(value)) return null;
  // With a secure value, the claim says what should be there, not what is there.
  const own = safeguardsOf(blocks).filter(({ paths }) => paths.some((names) => names.at(-1) === path.at(-1)));
  return own.some((safeguard) => isSecure(safeguard, value, false) === false) ? said.value : null;
}

function attributesOf(weakness: string, blocks: readonly GatedBlock[]): readonly string[] {
  const language = blocks[0]?.source.language ?? 'terraform';
  return weaknessById(weakness)?.[language]?.attributes ?? [];
}

/** `performance_insights_kms_key_id` is another key than `kms_key_id`. */
function isAnother({ paths }: Safeguard, { path }: NamedAttribute): boolean {
  const name = path.at(-1) ?? '';
  return paths.some((names) => {
    const own = names.at(-1) ?? '';
    return name !== own && name.includes(own);
  });
}
