import * as reactQuery from '@tanstack/react-query';
import * as reactVirtual from '@tanstack/react-virtual';
import * as react from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as wouter from 'wouter';
import * as parts from './kit.ts';

/** Modules that scripts of packages take from this one by name, so that a page has one React. See `docs/viewer.md`. */
Object.assign(globalThis, {
  salvoViewer: {
    react,
    'react/jsx-runtime': jsxRuntime,
    '@tanstack/react-query': reactQuery,
    '@tanstack/react-virtual': reactVirtual,
    wouter,
    'salvo/viewer-parts': parts,
  },
});
