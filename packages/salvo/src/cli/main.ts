#!/usr/bin/env node
// An old Node must be able to read this file: no static import, and no syntax that is newer than Node 14.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 18)) {
  import('./start.ts');
} else {
  process.exitCode = 4;
  process.stderr.write(
    `Salvo needs Node 22.18 or later, but this is Node ${process.versions.node}: ` +
      'install a later one from https://nodejs.org, or with a version manager, such as `nvm install 24`.\n',
  );
}
