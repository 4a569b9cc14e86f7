/** The company's sending numbers in the chosen environment, under the query key that the compose page uses too. */
import { useQuery } from '@tanstack/react-query';
import { api } from './client';

export function useOwnNumbers(): string[] {
  const { data } = useQuery({
    queryKey: ['numbers', 'senders'],
    queryFn: async () => (await api.get('/senders')).data,
  });
  return data?.senders.map(({ number }) => number) ?? [];
}
