/** The company's sending numbers in the environment that is looked at, as the compose page asks for them too. */
import { useQuery } from '@tanstack/react-query';
import { api } from './client';

export function useOwnNumbers(): string[] {
  const { data } = useQuery({
    queryKey: ['numbers', 'senders'],
    queryFn: async () => (await api.get('/senders')).data,
  });
  return data?.senders.map(({ number }) => number) ?? [];
}
