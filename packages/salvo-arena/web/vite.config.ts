import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Modules that the viewer shares with pages of packages: `packages/salvo/web/src/shared-modules.ts`. */
const SHARED = [
  'react',
  'react/jsx-runtime',
  '@tanstack/react-query',
  '@tanstack/react-virtual',
  'wouter',
  'salvo/viewer-parts',
];

export default defineConfig({
  plugins: [react()],
  resolve: { conditions: ['salvo-source', 'module', 'browser', 'development|production'] },
  build: {
    modulePreload: false,
    cssCodeSplit: false,
    rollupOptions: {
      input: fileURLToPath(new URL('src/main.tsx', import.meta.url)),
      external: SHARED,
      output: {
        format: 'iife',
        globals: Object.fromEntries(SHARED.map((name) => [name, `salvoViewer[${JSON.stringify(name)}]`])),
        entryFileNames: 'pages.js',
        assetFileNames: 'pages[extname]',
      },
    },
    target: 'es2023',
    reportCompressedSize: false,
  },
});
