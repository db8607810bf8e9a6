import type { AdapterContext } from '../../adapters/adapter-factory.ts';
import { adapterOptionsOf, type MadeOptions } from '../../adapters/adapter-name.ts';
import type { AdapterType } from '../../adapters/adapter-options-schema.ts';
import { PLACEHOLDER } from '../../adapters/agent/server-form-schema.ts';
import { whyRefused } from '../../adapters/refused-files.ts';
import { fileSites } from '../../scenario/checks/file-sites.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import type { MessageFile } from '../../trace/message.ts';
import { readFiles } from '../../trial/read-files.ts';

/** Throws before the first trial if the adapter cannot send a file of the user. */
export function refuseFilesOfScenario(options: {
  scenario: Scenario;
  adapterName: string;
  type: AdapterType | 'registered' | undefined;
  /** Of salvo.yaml. */
  adapters: AdapterContext['adapters'];
  file: string;
}): void {
  const { scenario, adapterName, type, adapters, file } = options;
  const withoutMessages = leavesOutMessages(adapterOptionsOf(adapterName, { adapters }));
  for (const each of userFiles(scenario)) {
    const why = withoutMessages ? 'its request has no {{messages}}, which have the files' : whyRefused(type, each);
    if (why === null) continue;
    const message = `${file}: the adapter "${adapterName}" cannot send ${each.name ?? 'a file'} (${each.media_type}): ${why}.`;
    throw new SalvoError('ADAPTER_BAD_REQUEST', message);
  }
}

/** Whether a server receives only other values, by the template of its request. */
function leavesOutMessages(settings: MadeOptions | undefined): boolean {
  if (settings?.type !== 'http' || settings.request === undefined) return false;
  return [...JSON.stringify(settings.request).matchAll(PLACEHOLDER)].every(([, name]) => name !== 'messages');
}

function userFiles(scenario: Scenario): MessageFile[] {
  const { attached = {}, messages = [] } = scenario;
  const sites = fileSites({ ...scenario }).filter(({ path: [field, index] }) => {
    return field === 'files' || (field === 'messages' && messages[Number(index)]?.role === 'user');
  });
  // A template stands for the files of all rows.
  const isTemplate = (entry: unknown) => JSON.stringify(entry).includes('{{');
  const literal = new Set(sites.map(({ entry }) => (isRecord(entry) ? entry.path : entry)));
  const ofRows = sites.some(({ entry }) => isTemplate(entry)) || typeof scenario.files === 'string';
  return [
    ...Object.entries(attached)
      .filter(([path]) => ofRows || literal.has(path))
      .map(([name, { media_type }]) => ({ name, media_type, data: '' })),
    ...sites.flatMap(({ entry }) =>
      isRecord(entry) && entry.path === undefined && !isTemplate(entry)
        ? readFiles([entry], { scenario, file: '' })
        : [],
    ),
  ];
}
