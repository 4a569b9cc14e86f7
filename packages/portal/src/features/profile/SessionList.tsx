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

const profileLabels = labelsOf('profile');

const labels = profileLabels.sessions;

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
    <Panel
      title={labels.title}
      actions={others && <Button onPress={() => end.mutate(null)}>{labels.endOthers}</Button>}
    >
      <FormFault error={end.error} />
      <Shown of={sessions}>
        {(list) => (
          <>
            <Table
              cardsBelow={900}
              caption={labels.caption}
              rows={list}
              keyOf={({ sessionId }) => sessionId}
              columns={[
                { id: 'browser', title: labels.browser, cell: ({ agent }) => browserName(agent) ?? labels.unknown },
                { id: 'address', title: labels.address, cell: ({ address }) => <code>{address}</code> },
                { id: 'since', title: labels.since, cell: ({ createdAt }) => <Time at={createdAt} /> },
                { id: 'seen', title: labels.seen, cell: ({ seenAt }) => <Time at={seenAt} form="relative" /> },
                { id: 'ends', title: labels.ends, cell: ({ endsAt }) => <Time at={endsAt} /> },
                {
                  id: 'action',
                  title: labels.action,
                  cell: (session) =>
                    session.current ? (
                      <Badge tone="ok" icon="check" word={labels.current} />
                    ) : (
                      <Button
                        aria-label={labels.endWhich(browserName(session.agent) ?? labels.unknown, session.address)}
                        onPress={() => end.mutate(session.sessionId)}
                      >
                        {labels.end}
                      </Button>
                    ),
                },
              ]}
            />
            {list.length === 1 && <p>{labels.only}</p>}
          </>
        )}
      </Shown>
    </Panel>
  );
}
