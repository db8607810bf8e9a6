import { fileNamed } from '../iac/read/code-blocks.ts';
import { scopeOfNames } from '../iac/read/references.ts';
import type { SourceFile } from '../iac/syntax/source-file.ts';
import { parseAddress, type ResourceAddress, sameAddress } from '../match/claims/resource-address.ts';
import { quoted, speaksOfAbsence } from './claim-words.ts';
import { type Check, failed, passed, unchecked } from './gate-result.ts';
import type { GatedClaim } from './gated-claim.ts';
import type { GatedBlock, GatedCode } from './gated-code.ts';

/** The blocks that a claim is about, and whether they exist. */
export interface ClaimedBlocks {
  blocks: readonly GatedBlock[];
  /** The file that the claim names, by its name in the project. */
  file: string | null;
  check: Check;
}

/**
 * Finds the blocks that a claim names. If it names several, all must exist. A claim that something is missing may also
 * name what does not exist but would belong to an existing block, such as the public access block of a bucket.
 */
export function claimedBlocks(code: GatedCode, claim: GatedClaim): ClaimedBlocks {
  const file = claim.file === null ? null : fileNamed(new Set(Object.keys(code.files)), claim.file);
  const named = claim.resources
    .map((text) => ({ text, address: parseAddress(text) }))
    .filter(({ address }) => hasContent(address));
  if (named.length === 0) return byPlace(code, claim, file);

  const found = named.map(({ text, address }) => ({
    ...{ text, address },
    blocks: inSameScope(blocksCalled(code, text, address), file === null ? undefined : code.sources.get(file)),
  }));
  const lost = found.filter((each) => each.blocks.length === 0);
  const there = found.flatMap((each) => each.blocks);
  const wholes = lost.map(({ address }) => withoutPart(code, claim, address));
  const blocks = [...new Set([...there, ...wholes.flatMap((whole) => whole ?? [])])];
  const [first] = lost.filter((_, index) => wholes[index] === null);
  if (first === undefined) {
    const names =
      lost.length > 0 ? `${lost.map(({ text }) => text).join(', ')} is not there, as claimed` : blocksText(blocks);
    return { blocks, file, check: passed('resource', `${names}${wrongLineNote(claim, file, blocks)}`) };
  }
  const all = Object.keys(code.files);
  const isUnsupported = file === null ? all.every((name) => !code.sources.has(name)) : !code.sources.has(file);
  if (isUnsupported) {
    const check = unchecked('resource', `${file ?? 'the code'} is in a language that is not supported`);
    return { blocks, file, check };
  }
  return { blocks, file, check: failed('resource', `there is no ${quoted(first.text)} in the code`) };
}

/** Of blocks with the same address in several folders or templates, those beside the file that the claim names. */
function inSameScope(blocks: readonly GatedBlock[], named: SourceFile | undefined): readonly GatedBlock[] {
  const beside = named ? blocks.filter(({ source }) => scopeOfNames(source) === scopeOfNames(named)) : [];
  return beside.length > 0 ? beside : blocks;
}

function byPlace(code: GatedCode, claim: GatedClaim, file: string | null): ClaimedBlocks {
  if (claim.file !== null && file === null) {
    return { blocks: [], file, check: failed('resource', `there is no file ${quoted(claim.file)}`) };
  }
  const { line } = claim;
  const inside = code.blocks.filter(
    (block) => block.source.file === file && line !== null && line >= block.line && line <= block.end_line,
  );
  if (inside.length > 0)
    return { blocks: inside, file, check: passed('resource', `line ${line} is in ${blocksText(inside)}`) };
  return { blocks: [], file, check: unchecked('resource', 'the entry names no resource') };
}

function blocksCalled(code: GatedCode, name: string, address: ResourceAddress): GatedBlock[] {
  const blocks = blocksAt(code, address);
  const meant = blocks.length > 0 ? null : code.addressOf(name);
  return meant === null ? blocks : blocksAt(code, parseAddress(meant));
}

function blocksAt(code: GatedCode, address: ResourceAddress): GatedBlock[] {
  const same = code.blocks.filter((block) => block.addresses().some((each) => sameAddress(each, address)));
  if (address.name === null && address.type !== null && same.length === 0) {
    return code.blocks.filter((block) => block.addresses().some(({ type }) => type === address.type));
  }
  const resources = same.filter(({ kind }) => kind !== 'other');
  return address.type === null && resources.length > 0 ? resources : same;
}

/** Types that protect a whole account or network, and do not belong to a particular resource. */
const ON_THEIR_OWN =
  /^(?:aws_(?:cloudtrail|flow_log|guardduty_detector|config_|wafv2_|securityhub_|kms_key|backup_|accessanalyzer_)|aws::(?:cloudtrail::trail|ec2::flowlog|guardduty::|config::|wafv2::|securityhub::|kms::key|backup::|accessanalyzer::))/;

/** The blocks that lack the part that the claim says is missing. Null if the claim is wrong about that. */
function withoutPart(code: GatedCode, claim: GatedClaim, part: ResourceAddress): GatedBlock[] | null {
  const { type, name } = part;
  if (type === null || !speaksOfAbsence(`${claim.text} . ${claim.evidence}`)) return null;
  const wholes = code.blocks.filter((block) => block.kind === 'resource' && isPartOf(type, block.type.toLowerCase()));
  const namesake = wholes.filter((block) => block.addresses().some((address) => address.name === name));
  const isType = (block: GatedBlock) => block.type.toLowerCase() === type && block.deployed();
  if (namesake.length > 0) return namesake.some((whole) => whole.referringTo.some(isType)) ? null : namesake;
  if (code.blocks.some(isType)) return null;
  return wholes.length > 0 || ON_THEIR_OWN.test(type) ? [] : null;
}

/** `aws_s3_bucket_logging` is a part of `aws_s3_bucket`, and `AWS::S3::BucketPolicy` one of `AWS::S3::Bucket`. */
function isPartOf(type: string, whole: string): boolean {
  return whole !== '' && type.startsWith(whole) && /^(?:_|[a-z]*polic)/.test(type.slice(whole.length));
}

function hasContent({ module, type, name }: ResourceAddress): boolean {
  return module !== '' || (type ?? '') !== '' || (name ?? '') !== '';
}

function blocksText(blocks: readonly GatedBlock[]): string {
  const [first, ...more] = blocks;
  if (!first) return 'nothing';
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  return `${first.address} (${first.source.file}:${first.line}-${first.end_line})${others}`;
}

/** A wrong line is reported, but does not make the claim wrong: models often miscount lines. */
function wrongLineNote({ line }: GatedClaim, file: string | null, blocks: readonly GatedBlock[]): string {
  if (line === null || blocks.length === 0) return '';
  const isInside = blocks.some(
    (block) => (file === null || block.source.file === file) && line >= block.line && line <= block.end_line,
  );
  return isInside ? '' : `; line ${line} is not in it`;
}
