/** Starts the portal in its one element. */
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { ApiError, isNoAnswer, isSilent } from './api/client';
import { readAgain } from './api/live';
import { locale } from './language/language';
import { createPortalRouter } from './routes';
import './styles/tokens.css';
import './styles/base.css';

const queryClient: QueryClient = new QueryClient({
  mutationCache: new MutationCache({
    // Somebody else was first: the page shows what they made of it, so that what is done next is done to that.
    onError: (error) => {
      if (error instanceof ApiError && error.status === 409) readAgain(queryClient);
    },
  }),
  defaultOptions: {
    // What the browser believes of the network says nothing about a gateway on this machine: it is always asked.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      // What was seen is shown again for as long as this, though the gateway may be away by then.
      gcTime: 60 * 60_000,
      // What the gateway refused it refuses again; only what never reached it is asked a second time. Who has waited for
      // a gateway that says nothing is told, and asks again when they like.
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
