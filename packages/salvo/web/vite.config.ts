import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  resolve: { conditions: ['salvo-source', 'module', 'browser', 'development|production'] },
  build: {
    // The page has no inline script, as its Content-Security-Policy demands.
    modulePreload: { polyfill: false },
    // One file, so that it can be put into an HTML file that works without a server.
    rollupOptions: { output: { codeSplitting: false } },
    assetsInlineLimit: 0,
    target: 'es2023',
    reportCompressedSize: false,
  },
});
