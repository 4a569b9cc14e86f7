/** The rule that sent a message to its carrier, and the version of the rules; on demand the verdict of each rule. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Shown } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { momentText } from '../../ui/Values';
import { RuleOutcome } from '../routes/RuleOutcome';
import styles from './Messages.module.css';
import type { Basis, Routed, Whole } from './message-data';
import { longRoute, shortRoute } from './routed';
import story from './Story.module.css';

const labels = labelsOf('story');

export function RoutedLine({ message, routed }: { message: Whole; routed: Routed }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Badge tone="neutral" icon="right" word={labels.routedBadge} />
      <div className={story.entry}>
        <span>
          {shortRoute(routed)} {routed.basis.rules === 'now' && labels.byToday}
          <Button look="quiet" onPress={() => setAsking(true)}>
            {labels.why}
          </Button>
        </span>
      </div>
      {asking && <Why message={message} routed={routed} onClose={() => setAsking(false)} />}
    </>
  );
}

function basisText({ rules, changedAt }: Basis): string {
  return labels.basis[rules](changedAt === null ? '' : momentText(changedAt));
}

function Why({ message, routed, onClose }: { message: Whole; routed: Routed; onClose(): void }) {
  const { messageId, from, to, messageType: kind } = message;
  const query = { tab: 'tester', from, to, kind };
  const isOperator = useMay('operator');
  const tree = useQuery({
    queryKey: ['message', messageId, 'route'],
    queryFn: async () => (await api.get('/messages/:messageId/route', { messageId })).data,
  });
  return (
    <Dialog title={labels.whyTitle} open wide onClose={onClose}>
      <p>{longRoute(routed)}</p>
      <p>{basisText(routed.basis)}</p>
      <Shown of={tree}>
        {(found) => (
          <>
            <RuleOutcome of={found} />
            {found.today !== null && <p>{labels.today(found.today)}</p>}
            {found.hidden > 0 && <p className={styles.muted}>{labels.hidden(found.hidden)}</p>}
          </>
        )}
      </Shown>
      <DialogActions>
        {isOperator && (
          <Link to="/routes" search={query as never}>
            {labels.tester}
          </Link>
        )}
        <Button look="primary" onPress={onClose}>
          {labels.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
