/** The browsers in which this person is signed in, each with a button that signs it out. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Panel } from '../../ui/Page';
import { FormFault, Shown } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { Table } from '../../ui/Table';
import { Time } from '../../ui/Values';
import { browserName } from './browser-name';

const profileWords = labelsOf('profile');

const words = profileWords.sessions;

export function SessionList() {
  const client = useQueryClient();
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: async () => (await api.get('/me/sessions')).data,
  });
  const end = useMutation({
    mutationFn: (sessionId: string | null): Promise<unknown> =>
      sessionId === null ? api.delete('/me/sessions') : api.delete('/me/sessions/:sessionId', { sessionId }),
    onSuccess: (_, sessionId) => {
      // Ending the current session leads to the sign-in page.
      if (sessions.data?.some((one) => one.sessionId === sessionId && one.current)) location.assign('/login');
      else void client.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  const others = (sessions.data?.length ?? 0) > 1;
  return (
    <Panel title={words.title} actions={others && <Button onPress={() => end.mutate(null)}>{words.endOthers}</Button>}>
      <FormFault error={end.error} />
      <Shown of={sessions}>
        {(list) => (
          <>
            <Table
              cardsBelow={900}
              caption={words.caption}
              rows={list}
              keyOf={({ sessionId }) => sessionId}
              columns={[
                { id: 'browser', title: words.browser, cell: ({ agent }) => browserName(agent) ?? words.unknown },
                { id: 'address', title: words.address, cell: ({ address }) => <code>{address}</code> },
                { id: 'since', title: words.since, cell: ({ createdAt }) => <Time at={createdAt} /> },
                { id: 'seen', title: words.seen, cell: ({ seenAt }) => <Time at={seenAt} form="relative" /> },
                { id: 'ends', title: words.ends, cell: ({ endsAt }) => <Time at={endsAt} /> },
                {
                  id: 'action',
                  title: words.action,
                  cell: (session) =>
                    session.current ? (
                      <Badge tone="ok" icon="check" word={words.current} />
                    ) : (
                      <Button
                        aria-label={words.endWhich(browserName(session.agent) ?? words.unknown, session.address)}
                        onPress={() => end.mutate(session.sessionId)}
                      >
                        {words.end}
                      </Button>
                    ),
                },
              ]}
            />
            {list.length === 1 && <p>{words.only}</p>}
          </>
        )}
      </Shown>
    </Panel>
  );
}
