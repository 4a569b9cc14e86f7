/** Actions on the list: a row of icons with labels, on a telephone behind one icon. */

import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { query } from '../../api/client';
import { setPaused, useLiveState } from '../../api/live';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { ApiRequest } from '../../ui/ApiRequest';
import { IconButton } from '../../ui/Button';
import { densities, setDensity, useDensity } from '../../ui/density';
import { saveAnswer } from '../../ui/download';
import { SavedViews } from '../../ui/SavedViews';
import { ActionMenu } from '../../ui/Tabs';
import type { useColumns } from './columns';
import list from './List.module.css';

const BulkDialog = lazy(() => import('./BulkDialog').then((one) => ({ default: one.BulkDialog })));
const ColumnsDialog = lazy(() => import('./ColumnsDialog').then((one) => ({ default: one.ColumnsDialog })));

const bulkLabels = labelsOf('bulk');
const frameLabels = labelsOf('frame');
const labels = labelsOf('message').list;

export function ListTools({
  q,
  byRequest,
  layout,
  findsNone,
  onSearch,
  onByRequest,
  onFault,
}: {
  q: string;
  /** One row for each request. */
  byRequest: boolean;
  layout: ReturnType<typeof useColumns>;
  /** No result can be exported or sent again. */
  findsNone: boolean;
  onSearch(q: string): void;
  onByRequest(on: boolean): void;
  /** Null before a new attempt. */
  onFault(fault: unknown): void;
}) {
  const maySend = useMay('send');
  const client = useQueryClient();
  const isPaused = useLiveState() === 'paused';
  const density = useDensity();
  const [unfolded, unfold] = useState(false);
  const [dialog, showDialog] = useState<'columns' | 'resend' | 'cancel' | null>(null);
  const close = () => showDialog(null);
  const exportAs = (format: 'csv' | 'jsonl') => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    onFault(null);
    saveAnswer(`messages.${format}`, `/messages/export.${format}${query({ q, timeZone })}`).catch(onFault);
  };
  return (
    <div className={list.tools}>
      <span className={list.fold}>
        <IconButton icon="settings" label={labels.tools} aria-expanded={unfolded} onPress={() => unfold(!unfolded)} />
      </span>
      <div className={unfolded ? list.icons : `${list.icons} ${list.folded}`}>
        <SavedViews list="message" q={q} onChoose={onSearch} />
        <IconButton
          icon="group"
          label={labels.byRequest}
          aria-pressed={byRequest}
          onPress={() => onByRequest(!byRequest)}
        />
        <IconButton icon="columns" label={labels.columns} onPress={() => showDialog('columns')} />
        {!findsNone && (
          <ActionMenu
            tool="download"
            label={labels.export}
            actions={[
              { id: 'csv', label: labels.csv, run: () => exportAs('csv') },
              { id: 'jsonl', label: labels.jsonl, run: () => exportAs('jsonl') },
            ]}
          />
        )}
        {maySend && !findsNone && (
          <ActionMenu
            tool="found"
            label={bulkLabels.menu}
            name={bulkLabels.menuName(q !== '')}
            actions={[
              { id: 'resend', label: bulkLabels.resend, run: () => showDialog('resend') },
              { id: 'cancel', label: bulkLabels.cancel, run: () => showDialog('cancel') },
            ]}
          />
        )}
        <ApiRequest path="/api/v1/messages?limit=50" />
        <ActionMenu
          tool="more"
          label={labels.more}
          actions={[
            ...densities.map((one) => ({
              id: one,
              label: labels.density[one],
              isChosen: one === density,
              run: () => setDensity(one),
            })),
            {
              id: 'pause',
              label: isPaused ? frameLabels.resume : frameLabels.pause,
              run: () => setPaused(!isPaused, client),
            },
            { id: 'columns', label: labels.columnsTitle, run: () => showDialog('columns') },
          ]}
        />
      </div>
      <Suspense>
        {(dialog === 'resend' || dialog === 'cancel') && <BulkDialog q={q} action={dialog} onClose={close} />}
        {dialog === 'columns' && <ColumnsDialog layout={layout} onClose={close} />}
      </Suspense>
    </div>
  );
}
