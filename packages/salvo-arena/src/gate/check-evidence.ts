import { quoted } from './claim-words.ts';
import type { ClaimedBlocks } from './claimed-blocks.ts';
import { type Check, failed, passed, unchecked } from './gate-result.ts';
import type { GatedClaim } from './gated-claim.ts';
import { blocksAround, type GatedCode } from './gated-code.ts';
import { assignmentsIn, codeWords, type Quote, quotesIn } from './quoted-code.ts';

/**
 * Whether the quotes of a claim are in the code: in the resource, in what is connected with it, or in a variable, a
 * local or a module's input, where a flaw may be hidden. A quote from another resource proves nothing about this one.
 */
export function checkEvidence(claim: GatedClaim, claimed: ClaimedBlocks, code: GatedCode): Check {
  const quotes = quotesIn(claim.evidence);
  if (quotes.length === 0) return unchecked('evidence', 'nothing is quoted');
  const around = blocksAround(claimed.blocks);
  const near = code.blocks.filter((block) => block.kind === 'other' || around.has(block));
  const files = claimed.file !== null && claimed.blocks.length === 0 ? [claimed.file] : Object.keys(code.files);
  const unread = files.filter((file) => !code.sources.has(file));
  const isIn = (some: readonly string[], words: string) => some.some((file) => code.wordsOf(file).includes(words));
  const isAnywhere = (words: string) => isIn(files, words);
  const isNear = (words: string) => {
    if (claimed.blocks.length === 0) return isAnywhere(words);
    return near.some((block) => block.words().includes(words)) || isIn(unread, words);
  };

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
