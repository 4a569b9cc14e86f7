/** Home: how far the first conversation has come; after that, what needs attention first. Everything moves by itself. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useMay } from '../../api/session';
import { LinkButton } from '../../ui/Button';
import { Page } from '../../ui/Page';
import { Shown } from '../../ui/States';
import { homeWords as words } from '../../words/en/home';
import { messageWords } from '../../words/en/messages';
import { Attention } from './Attention';
import { Checklist } from './Checklist';
import { Failures } from './Failures';
import type { Home } from './home-data';
import { LastHour } from './LastHour';

/** The minutes pass, though nothing happens. */
const refreshMs = 60_000;

export function HomePage() {
  const maySend = useMay('send');
  const home = useQuery({
    queryKey: ['home'],
    queryFn: async () => (await api.get<Home>('/home')).data,
    refetchInterval: refreshMs,
  });
  return (
    <Page
      title={words.title}
      actions={
        maySend && (
          <LinkButton to="/messages/new" look="primary">
            {messageWords.newMessage}
          </LinkButton>
        )
      }
    >
      <Shown of={home} rows={8}>
        {(data) => <Blocks data={data} />}
      </Shown>
    </Page>
  );
}

function Blocks({ data }: { data: Home }) {
  const isDone = data.checklist.every(({ done }) => done);
  return (
    <>
      {!isDone && <Checklist home={data} />}
      {isDone && <Attention list={data.attention} />}
      <LastHour {...data.last60} />
      {!isDone && <Attention list={data.attention} />}
      {(isDone || data.failures.length > 0) && <Failures list={data.failures} />}
      {isDone && <Checklist home={data} />}
    </>
  );
}
