import { fileURLToPath } from 'node:url';

/** From source, the examples are those of the repository; a package has those that it needs beside its code. */
export function exampleFolder(name: string, here: string): string {
  const place = here.endsWith('.ts')
    ? new URL(`../../examples/${name}`, here.slice(0, here.lastIndexOf('/src/') + 1))
    : new URL(`./examples/${name}`, here.slice(0, here.lastIndexOf('/dist/') + '/dist/'.length));
  return fileURLToPath(place);
}
