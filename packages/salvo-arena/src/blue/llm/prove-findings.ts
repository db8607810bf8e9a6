import { closedObject, listTool, schemaReader } from 'salvo/kit/models';
import { z } from 'zod';
import type { Finding } from '../../match/claims/finding.ts';
import { prompt } from './ask-model.ts';
import type { FindQuote } from './find-quote.ts';
import { askAboutEach, type Review } from './review.ts';

const QUOTE_LINES = listTool({
  name: 'quote_lines',
  description: 'Hands in, for every finding, the line of the code that causes it.',
  list: 'quotes',
  items: closedObject({
    number: { type: 'integer', description: 'Of the finding.' },
    withdrawn: { type: 'boolean', description: 'True when it is no flaw, or cannot be proven.' },
    file: { type: 'string', description: 'The file of the line.' },
    line: { type: 'integer', description: 'The number of the line.' },
    quote: { type: 'string', description: 'The line, copied exactly, without its number.' },
  }),
});

const quoteSchema = z.object({
  number: z.coerce.number(),
  withdrawn: z.boolean().nullish(),
  file: z.string().nullish(),
  line: z.number().nullish().catch(null),
  quote: z.string().nullish(),
});

const readQuotes = schemaReader(
  z.object({ quotes: z.array(quoteSchema) }).transform(({ quotes }) => quotes),
  'It has no `quotes`, each with `number` and `quote`.',
);

/**
 * Asks the model to quote the line that causes each finding, and keeps the findings whose quote is in the code. Their
 * evidence and place become those of the quote.
 */
export async function proveFindings(review: Review, findings: readonly Finding[], find: FindQuote): Promise<Finding[]> {
  if (findings.length === 0) return [];
  const quotes = await askAboutEach(review, findings, {
    words: (known) => prompt('quotes', { known }),
    tool: QUOTE_LINES,
    read: readQuotes,
  });
  return findings.flatMap((finding, index) => {
    const quote = quotes[index];
    if (!quote?.quote?.trim() && !quote?.withdrawn) return drop(review, 'no line was quoted for it');
    if (quote.withdrawn) return drop(review, 'it was withdrawn');
    const text = quote.quote ?? '';
    const place = find({ text, file: quote.file || undefined, line: quote.line ?? undefined });
    if (!place) return drop(review, 'its quote is not in the file');
    const { file, line, end_line } = place;
    return [{ ...finding, evidence: text.trim(), file, line, end_line }];
  });
}

function drop({ dropped }: Review, reason: string): [] {
  dropped.add(reason);
  return [];
}
