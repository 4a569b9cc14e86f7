/** What both handset pages share: the title, and the phones beside whatever is shown. */
import type { ReactNode } from 'react';
import { useMay, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { LinkButton } from '../../ui/Button';
import { Page, Panel } from '../../ui/Page';
import { Empty } from '../../ui/States';
import styles from './Handsets.module.css';
import { OpenOnPhone } from './OpenOnPhone';
import { Phones } from './Phones';

const words = labelsOf('handset');

export function HandsetFrame({
  number,
  tabTitle,
  children,
}: {
  number: string | null;
  /** For the tab of the browser. */
  tabTitle?: string;
  children: ReactNode;
}) {
  const me = useMe();
  const may = useMay('send');
  const off = !me.sandbox || me.environment !== 'sandbox';
  return (
    <Page
      title={words.title}
      {...(tabTitle !== undefined && { tabTitle })}
      actions={
        <>
          {!off && <OpenOnPhone number={number} />}
          {may && (
            <LinkButton to="/messages/new" icon="plus">
              {words.compose}
            </LinkButton>
          )}
        </>
      }
    >
      {off ? (
        <Empty title={me.sandbox ? words.live : words.sandboxOff}>
          {me.sandbox ? words.liveDetail : words.sandboxOffDetail}
        </Empty>
      ) : number === null ? (
        <div className={styles.two}>
          <Panel title={words.phones}>
            <Phones number={number} />
          </Panel>
          {children}
        </div>
      ) : (
        children
      )}
    </Page>
  );
}
