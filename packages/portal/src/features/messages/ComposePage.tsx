/** A new message: checked while it is written, tried without sending, sent, and the result for each recipient. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { useIsSuspended, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { ApiRequest } from '../../ui/ApiRequest';
import { Button, LinkButton } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Select, TextArea, TextField } from '../../ui/Field';
import { Form, Page, Panel, Row } from '../../ui/Page';
import { Empty, FormFault, Loading, Notice, Shown } from '../../ui/States';
import { useUrlText } from '../../ui/url';
import { phoneText } from '../../ui/Values';
import { Counter, MediaFields, Senders, Waits } from './ComposeParts';
import { costOf, readRecipients, shapeOf, tooLongText } from './compose';
import { Drafts } from './Drafts';
import type { Draft } from './draft';
import styles from './Messages.module.css';
import type { Sender } from './message-data';
import { Preview, useDryRun } from './Preview';
import { type Result, Results } from './Results';
import { hasGone, Sent } from './Sent';
import { useDraft, useDrafts, useShownDraft } from './use-drafts';

const suspendedLabels = labelsOf('suspended');
const messageLabels = labelsOf('message');

const labels = messageLabels.compose;
/** More recipients than this need a confirmation. */
const confirmFrom = 100;
/** The button that only checks. */
const checked = 'check';

interface SendersAnswer {
  senders: Sender[];
  rate: { currency: string; smsPerSegment: string; mmsPerMessage: string } | null;
}

export function ComposePage() {
  const [like] = useUrlText('like');
  const [to] = useUrlText('to');
  const { environment } = useMe();
  const shown = useShownDraft();
  const senders = useQuery({
    queryKey: ['numbers', 'senders'],
    queryFn: async () => (await api.get('/senders')).data,
  });
  const model = useQuery({
    queryKey: ['message', like],
    enabled: like !== '',
    queryFn: async () => (await api.get('/messages/:messageId/full', { messageId: like })).data,
    select: ({ message }) => message,
  });
  return (
    <Page
      title={labels.title}
      crumbs={[{ label: messageLabels.title, to: '/messages' }, { label: labels.title }]}
      actions={
        shown.id !== '' && (
          <LinkButton to="/messages/new" icon="plus">
            {labels.draft.anew}
          </LinkButton>
        )
      }
    >
      <Shown of={senders}>
        {(answer) =>
          like !== '' && model.isPending ? (
            <Loading />
          ) : (
            <Composer
              {...answer}
              key={`${environment} ${like} ${to} ${shown.form}`}
              shown={shown}
              begin={{
                reference: '',
                from: model.data?.from ?? '',
                to: model.data?.to ?? to.replaceAll('"', ''),
                text: model.data?.text ?? '',
                media: model.data?.mediaUrls.map((url) => ({ url })) ?? [],
              }}
            />
          )
        }
      </Shown>
    </Page>
  );
}

type Begin = SendersAnswer & { begin: Draft; shown: ReturnType<typeof useShownDraft> };

function Composer({ senders, rate, begin, shown }: Begin) {
  const ready = senders.filter(({ sms }) => sms);
  const cannot = senders.filter(({ sms }) => !sms);
  const drafts = useDrafts();
  const usable = (number: string) => ready.some((one) => one.number === number);
  const from = begin.from === '' ? (ready[0]?.number ?? '') : begin.from;
  const draft = useDraft({ ...begin, from }, usable, drafts, shown);
  const { form, set } = draft;
  const [tried, setTried] = useState(false);
  const [asking, setAsking] = useState(false);
  const isSuspended = useIsSuspended();
  const { limits } = useMe();
  const recipients = readRecipients(form.to);
  const shape = shapeOf(form.text);
  const isMms = form.media.length > 0;
  const body = {
    from: form.from,
    to: recipients.numbers,
    text: form.text,
    ...(isMms && { mediaUrls: form.media.map(({ url }) => url) }),
    ...(form.reference !== '' && { referenceId: form.reference }),
  };
  const send = useMutation({
    mutationFn: async (dryRun: boolean) => {
      const answer = await api.post('/send', body, { query: { dryRun: dryRun ? true : null } });
      const { detail, schema } = answer as unknown as { detail: string; schema: { resultResponses: Result[] } };
      const dropped = [...new Set(recipients.bad.map(({ token }) => token))];
      return { dryRun, detail, results: schema.resultResponses, dropped };
    },
    onSuccess: (outcome) => {
      if (hasGone(outcome)) draft.sent();
    },
  });
  const tooLong = tooLongText(form.text, shape, isMms, limits);
  const missing = {
    from: form.from === '' ? labels.missing.from : undefined,
    to: recipients.numbers.length === 0 ? labels.missing.to : undefined,
    text: form.text.trim() === '' && !isMms ? labels.missing.text : tooLong,
  };
  const many = recipients.numbers.length;
  const go = (dryRun: boolean): void => {
    setAsking(false);
    send.mutate(dryRun);
  };
  const submit = (pressed: string): void => {
    setTried(true);
    if (isSuspended && pressed !== checked) return;
    if (Object.values(missing).some((one) => one !== undefined)) return;
    if (pressed !== checked && many > confirmFrom) setAsking(true);
    else go(pressed === checked);
  };
  const dryRun = useDryRun(body);
  // A look-up is valid only while the list is unchanged.
  const going = dryRun.data?.recipients === many ? dryRun.data.going : many;
  const cost = isMms
    ? costOf(going, rate?.mmsPerMessage, rate?.currency)
    : costOf(going * shape.segments, rate?.smsPerSegment, rate?.currency);
  if (ready.length === 0) {
    return (
      <>
        <Empty title={labels.noSenders}>{labels.noSendersHow}</Empty>
        <Senders list={senders} />
      </>
    );
  }
  if (send.data !== undefined && hasGone(send.data)) {
    return (
      <Sent
        {...send.data}
        onAnew={() => {
          draft.anew();
          setTried(false);
          send.reset();
        }}
        onAgain={send.reset}
      />
    );
  }
  return (
    <div className={styles.compose}>
      <div className={styles.written}>
        <Panel>
          <Form label={labels.title} onSubmit={submit}>
            <Select
              label={labels.from}
              choices={[
                ...ready.map(({ number }) => ({ value: number, label: phoneText(number) })),
                ...cannot.map(({ number, why }) => ({
                  value: number,
                  label: phoneText(number),
                  disabled: true,
                  help: why ?? labels.cannot,
                })),
              ]}
              value={form.from}
              onChange={(from) => set('from', from)}
              fault={tried ? missing.from : undefined}
            />
            <TextArea
              label={labels.to}
              help={labels.toHelp}
              rows={2}
              value={form.to}
              onChange={(to) => set('to', to)}
              fault={tried ? missing.to : undefined}
            />
            <Checked {...recipients} />
            <TextArea
              label={labels.text}
              rows={5}
              value={form.text}
              onChange={(text) => set('text', text)}
              fault={tried ? missing.text : tooLong}
            />
            <Counter text={form.text} shape={shape} isMms={isMms} onReplace={(text) => set('text', text)} />
            <MediaFields
              media={form.media}
              onChange={(media) => set('media', media)}
              allowed={senders.find(({ number }) => number === form.from)?.mms !== false}
            />
            <TextField
              label={labels.reference}
              help={labels.referenceHelp}
              value={form.reference}
              onChange={(reference) => set('reference', reference)}
            />
            <FormFault error={send.error} />
            <Waits until={ready.find(({ number }) => number === form.from)?.waitsUntil} />
            <Row>
              <Button look="primary" type="submit" icon="sending" isPending={send.isPending} isDisabled={isSuspended}>
                {isSuspended ? suspendedLabels.send : labels.send(going, many)}
              </Button>
              <Button type="submit" value={checked} isPending={send.isPending}>
                {labels.check}
              </Button>
              <ApiRequest method="POST" path="/SendSMS" body={body} />
            </Row>
            {draft.isKept && (
              <Row>
                <span className={styles.muted}>{labels.draft.kept}</span>
                <Button look="quiet" onPress={draft.discard}>
                  {labels.draft.discard}
                </Button>
              </Row>
            )}
          </Form>
        </Panel>
        {send.data !== undefined && (
          <Panel title={labels.results}>
            <Notice tone={send.data.dryRun ? 'info' : 'warn'} title={send.data.detail} />
            <Results list={send.data.results} />
          </Panel>
        )}
      </div>
      <div className={styles.aside}>
        <Preview
          of={dryRun}
          count={many}
          shape={isMms ? 'MMS' : labels.parts(shape.encoding, shape.segments)}
          cost={cost}
          twice={recipients.twice}
        />
        <Drafts of={drafts} open={shown.id} />
        <Senders list={cannot} />
      </div>
      <Dialog title={labels.many.title(going)} open={asking} urgent onClose={() => setAsking(false)}>
        <p>{labels.many.detail(going)}</p>
        <DialogActions>
          <Button onPress={() => setAsking(false)}>{labels.many.back}</Button>
          <Button look="danger" onPress={() => go(false)}>
            {labels.send(going, many)}
          </Button>
        </DialogActions>
      </Dialog>
    </div>
  );
}

/** The parsed recipients. */
function Checked({ numbers, bad, twice }: ReturnType<typeof readRecipients>) {
  return (
    <div role="status">
      <p className={styles.muted}>
        {labels.recipients(numbers.length)}
        {twice > 0 && ` · ${labels.twice(twice)}`}
      </p>
      {bad.length > 0 && (
        <Notice tone="warn" title={labels.bad}>
          <span className={styles.marks}>
            {bad.slice(0, 20).map(({ token }) => (
              <code key={token} className={styles.guilty}>
                {token}
              </code>
            ))}
          </span>
          {bad.some(({ scientific }) => scientific) && <p>{labels.scientific}</p>}
        </Notice>
      )}
    </div>
  );
}
