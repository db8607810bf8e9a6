import { type Block, type Look, table, toTerminal } from 'salvo/kit/report';
import { formatPlural } from 'salvo/kit/stats';
import { safeLine } from 'salvo/kit/text';
import type { TemplateUse } from '../../red/mutation/own/own-code-use.ts';
import type { RedMetadata } from '../../red/red-team.ts';

/** What Red can do with code of the user: its resources by file, and how much of it all can be used. */
export function renderTemplateUse(use: TemplateUse, look: Look): string {
  const modules = use.modules_not_read.map((source) => safeLine(source, 100));
  const lines = [
    codeUseSentence(use),
    `Weaknesses that are there already, and are not planted: ${use.present_before}.`,
    ...(modules.length > 0 ? [`Modules that are not in this folder are not read: ${modules.join(', ')}.`] : []),
    ...use.notes,
  ];
  return toTerminal([resourceTable(use.list), { lines }], look, { narrowest: 40, widest: 140 });
}

/** `41 of 103 resources can carry a flaw; 212 places.` */
export function codeUseSentence({
  usable,
  resources,
  places,
}: Omit<NonNullable<RedMetadata['own_code']>, 'notes'>): string {
  return `${usable} of ${formatPlural(resources, 'resource')} can carry a flaw; ${formatPlural(places, 'place')}.`;
}

function resourceTable(list: TemplateUse['list']): Block {
  return table(list, [
    { header: 'Resource', priority: 9, min: 20, cell: ({ address }) => address },
    { header: 'Place', priority: 5, min: 12, cell: ({ file, line }) => ({ text: `${file}:${line}`, tone: 'cyan' }) },
    { header: 'Places', priority: 8, cell: ({ places }) => (places > 0 ? String(places) : '–') },
    { header: 'Why none', priority: 7, min: 20, cell: ({ why_not }) => ({ text: why_not ?? '', tone: 'dim' }) },
  ]);
}
