import { copyFile, mkdir } from 'node:fs/promises';
import { startRefundModel } from '../test/sdks/refund-model.ts';
import { sdkProject } from '../test/sdks/sdk-project.ts';

// Records the cassettes of examples/sdks, after `npm run test:sdks` has installed the large packages. A server on this
// machine answers in place of the models: it speaks their APIs. Not those of Claude: its requests have the folder and the
// platform of the machine.

const ADAPTERS = ['fetch', 'gemini', 'python-exec', 'strands', 'adk'];
const folder = new URL('../examples/sdks/cassettes/', import.meta.url);
await mkdir(folder, { recursive: true });
await using project = await sdkProject();
for (const adapter of ADAPTERS) {
  await using model = await startRefundModel(adapter);
  const { exitCode, output } = await project.run(['--adapter', adapter, '--cassettes', 'record'], model.env);
  console.log(output);
  if (exitCode !== 0) throw new Error(`${adapter} was not recorded.`);
  const file = `${adapter}.jsonl`;
  await copyFile(project.path(`cassettes/${file}`), new URL(file, folder));
}
