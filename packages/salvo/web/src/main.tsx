// Before all modules: what these say of a class counts.
import './style/fonts.css';
import './style/tokens.css';
import './style/base.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { ApiError } from './client.ts';
import './shared-modules.ts';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      // Only a lost connection is worth a second attempt: an answer would be the same again.
      retry: (failures, error) => failures === 0 && !(error instanceof ApiError),
      refetchOnWindowFocus: false,
    },
  },
});

// The scripts of packages come after this one, and add their pages before the document is complete.
document.addEventListener('DOMContentLoaded', () => {
  const root = document.getElementById('page');
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
});
