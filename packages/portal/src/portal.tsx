/** Starts the portal in its root element. */
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { ApiError, isNoAnswer, isSilent } from './api/client';
import { readAgain } from './api/live';
import { locale } from './language/language';
import { createPortalRouter } from './routes';
import './ui/tokens.css';
import './ui/base.css';

const queryClient: QueryClient = new QueryClient({
  mutationCache: new MutationCache({
    // Another person was first: the page refetches, so that the next action applies to the current record.
    onError: (error) => {
      if (error instanceof ApiError && error.status === 409) readAgain(queryClient);
    },
  }),
  defaultOptions: {
    // The browser's network state says nothing about a gateway on this machine, so requests are always sent.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      // How long cached data are shown again, even if the gateway is unreachable.
      gcTime: 60 * 60_000,
      // A refusal would be repeated, so only requests that never arrived are retried. After a time-out the page
      // reports it, and the person can retry.
      retry: (failures, error) => failures < 2 && isNoAnswer(error) && !isSilent(error),
    },
  },
});

const router = createPortalRouter(queryClient);

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no place for the portal');
createRoot(root).render(
  <StrictMode>
    <I18nProvider locale={locale}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);
