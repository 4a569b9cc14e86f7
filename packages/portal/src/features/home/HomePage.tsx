/** Home: how far the first conversation has come, then what needs attention. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { Page } from '../../ui/Page';
import { Shown } from '../../ui/States';

export function HomePage() {
  const home = useQuery({ queryKey: ['home'], queryFn: async () => (await api.get<object>('/home')).data });
  return (
    <Page title="Home">
      <Shown of={home}>{() => <p>Ready.</p>}</Shown>
    </Page>
  );
}
