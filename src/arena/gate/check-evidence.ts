import type { ClaimedBlocks } from './claimed-blocks.ts';
import { type Check, failed, passed, unchecked } from './gate-result.ts';
import type { GatedClaim } from './gated-claim.ts';
import type { GatedBlock, GatedCode } from './gated-code.ts';
import type { Links } from './linked-blocks.ts';
import { quoted } from './plain-words.ts';
import { assignmentsIn, codeWords, type Quote, quotesIn } from './quoted-code.ts';

/** The code as words, in which quotes are searched. Shared by all entries of a manifest. */
export interface QuotableCode {
  wordsOf(block: GatedBlock): string;
  wordsOfFile(file: string): string;
}

export function quotableCode({ files }: GatedCode): QuotableCode {
  const ofBlocks = new WeakMap<GatedBlock, string>();
  const ofFiles = new Map<string, string>();
  return {
    wordsOf(block) {
      const words = ofBlocks.get(block) ?? codeWords(block.text);
      ofBlocks.set(block, words);
      return words;
    },
    wordsOfFile(file) {
      const words = ofFiles.get(file) ?? codeWords(files[file] ?? '');
      ofFiles.set(file, words);
      return words;
    },
  };
}

/**
 * Whether the quotes of a claim are in the code: in the resource, in what is connected with it, or in a variable, a
 * local or a module's input, where a flaw may be hidden. A quote from another resource proves nothing about this one.
 */
export function checkEvidence(
  claim: GatedClaim,
  claimed: ClaimedBlocks,
  { code, links, quotable }: { code: GatedCode; links: Links; quotable: QuotableCode },
): Check {
  const quotes = quotesIn(claim.evidence);
  if (quotes.length === 0) return unchecked('evidence', 'nothing is quoted');
  const near = links.around(claimed.blocks);
  const files = claimed.file !== null && claimed.blocks.length === 0 ? [claimed.file] : Object.keys(code.files);
  const unread = files.filter((file) => !code.sources.has(file));
  const isNear = (words: string) =>
    claimed.blocks.length === 0
      ? files.some((file) => quotable.wordsOfFile(file).includes(words))
      : code.blocks.some(
          (block) => (block.kind === 'other' || near.has(block)) && quotable.wordsOf(block).includes(words),
        ) || unread.some((file) => quotable.wordsOfFile(file).includes(words));
  const isAnywhere = (words: string) => files.some((file) => quotable.wordsOfFile(file).includes(words));

  const whole = codeWords(claim.evidence);
  if (whole.trim() !== '' && isNear(whole)) return passed('evidence', 'the quote is in the code');
  let found = 0;
  for (const quote of quotes) {
    if (isQuoted(quote, isNear)) found += 1;
    else if (quote.isCode) {
      const where = isQuoted(quote, isAnywhere)
        ? 'is in the code, but not in or around this resource'
        : 'is not in the code';
      return failed('evidence', `${quoted(quote.line)} ${where}`);
    }
  }
  if (found > 0)
    return passed('evidence', found === 1 ? 'the quoted line is in the code' : `${found} quoted lines are in the code`);
  return unchecked('evidence', 'the evidence is a remark without a quote');
}

function isQuoted({ readings, line }: Quote, isThere: (words: string) => boolean): boolean {
  if (readings.map(codeWords).some((words) => words.trim() !== '' && isThere(words))) return true;
  // `cidr_blocks = ["0.0.0.0/0"] on port 22`: code with a remark after it.
  const assignments = assignmentsIn(line);
  return assignments.length > 0 && assignments.every(({ name, value }) => isThere(codeWords(`${name} = ${value}`)));
}
