import type { Trace } from '../../../trace/trace.ts';
import { prettyJson } from './pretty-json.ts';
import { answerIndex, callPlaces, LONGEST_SEARCHED, occurrences, type TracePlace } from './trace-places.ts';

const [SHORTEST_QUOTE, MOST_QUOTES] = [4, 40];

/** What is between quotation marks of any kind. An apostrophe is not one: it is inside or at the end of a word. */
const QUOTES = [
  /"([^"\n]{4,500})"/g,
  /\u201c([^\u201c\u201d\n]{4,500})\u201d/g,
  /\u00ab([^\u00ab\u00bb\n]{4,500})\u00bb/g,
  /`([^`\n]{4,500})`/g,
  /(?<![\p{L}\p{N}])['\u2018]([^'\u2018\u2019\n]{4,500})['\u2019](?![\p{L}\p{N}])/gu,
];

/**
 * Where the trace literally contains what judges quote in their reasoning: in the answer first, then in any message,
 * then in the arguments of a call.
 */
export function citedPlaces(reasonings: readonly string[], trace: Trace): TracePlace[] {
  const quotes = [...new Set(reasonings.flatMap(quotesIn))].slice(0, MOST_QUOTES);
  const places = quotes.flatMap((quote) => textPlace(quote, trace) ?? callPlace(quote, trace));
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

/**
 * The quotes in a text. One with an ellipsis is several.
 * @internal Exported for its tests.
 */
export function quotesIn(text: string): string[] {
  return QUOTES.flatMap((pattern) => [...text.matchAll(pattern)])
    .flatMap(([, quote = '']) => quote.split(/\u2026|\.{3}/))
    .map((part) => part.trim().replace(/[.,;:]$/, ''))
    .filter(({ length }) => length >= SHORTEST_QUOTE);
}

function textPlace(quote: string, trace: Trace): TracePlace | null {
  const answer = answerIndex(trace);
  const order = [...trace.messages.keys()].toSorted((a, b) => Number(b === answer) - Number(a === answer));
  for (const ignoreCase of [false, true]) {
    for (const message of order) {
      const text = (trace.messages[message]?.content ?? '').slice(0, LONGEST_SEARCHED);
      const [span] = occurrences(text, quote, { ignoreCase });
      if (span) return { kind: 'text', message, ...span, meaning: 'cited' };
    }
  }
  return null;
}

/** The first call whose arguments contain the quote. */
function callPlace(quote: string, trace: Trace): TracePlace[] {
  const call = trace.tool_calls_made.find(({ arguments: given }) =>
    prettyJson(given).slice(0, LONGEST_SEARCHED).includes(quote),
  );
  return callPlaces(trace, [call], 'cited');
}
