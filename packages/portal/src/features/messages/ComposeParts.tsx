/** Parts of the form of a new message: the counter under the text, media, and numbers that cannot send. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { sizeText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { uploadMedium } from '../../ui/Chat';
import { TextField } from '../../ui/Field';
import { Panel, Row } from '../../ui/Page';
import { FormFault, Notice } from '../../ui/States';
import { momentText, Phone } from '../../ui/Values';
import { type Medium, mediumName, replaceEach, type Shape } from './compose';
import styles from './Messages.module.css';
import type { Sender } from './message-data';

const messageLabels = labelsOf('message');

const labels = messageLabels.compose;

async function uploadedMedium(file: File): Promise<Medium> {
  const { url, contentType, sizeBytes } = await uploadMedium(file);
  return { url, name: file.name, type: contentType, sizeBytes };
}

/** Quiet hours: accepted now, sent later. */
export function Waits({ until }: { until: string | null | undefined }) {
  if (until == null) return null;
  return (
    <Notice tone="info" title={labels.waits(momentText(until))}>
      {labels.waitsWhy}
    </Notice>
  );
}

export function Counter({
  text,
  shape,
  isMms,
  onReplace,
}: {
  text: string;
  shape: Shape;
  isMms: boolean;
  onReplace(text: string): void;
}) {
  if (isMms) {
    return (
      <p className={styles.muted} data-counter>
        {labels.mmsCounter(shape.characters)}
      </p>
    );
  }
  return <SmsCounter text={text} shape={shape} onReplace={onReplace} />;
}

function SmsCounter({ text, shape, onReplace }: { text: string; shape: Shape; onReplace(text: string): void }) {
  const { encoding, characters, units, segments, left, forcing, segmentsInstead } = shape;
  const replaceable = forcing.filter(({ lookAlike }) => lookAlike !== undefined);
  return (
    <div>
      <p className={styles.muted} data-counter>
        {labels.counter(encoding, characters, segments, left)}
      </p>
      {characters !== units && <p className={styles.muted}>{labels.uses(encoding, units, units + left)}</p>}
      {forcing.length > 0 && (
        <Notice tone="warn" title={labels.forcing(segments, segmentsInstead)}>
          <p className={styles.preview}>
            <Marked text={text} guilty={forcing.map((one) => one.text)} />
          </p>
          <span className={styles.marks}>
            {replaceable.slice(0, 8).map(({ text: from, lookAlike = '' }) => (
              <Button key={from} onPress={() => onReplace(text.replaceAll(from, lookAlike))}>
                {labels.replace(from, lookAlike)}
              </Button>
            ))}
            {replaceable.length > 1 && (
              <Button onPress={() => onReplace(replaceEach(text))}>{labels.replaceAll}</Button>
            )}
          </span>
        </Notice>
      )}
    </div>
  );
}

function Marked({ text, guilty }: { text: string; guilty: readonly string[] }) {
  const pattern = new RegExp(`(${guilty.map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'u');
  return text.split(pattern).map((piece, i) =>
    i % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other id
      <mark key={i} className={styles.guilty}>
        {piece}
      </mark>
    ) : (
      piece
    ),
  );
}

export function MediaFields({
  media,
  onChange,
  allowed,
}: {
  media: readonly Medium[];
  onChange(media: Medium[]): void;
  allowed: boolean;
}) {
  const [url, setUrl] = useState('');
  const [fault, setFault] = useState<string>();
  const upload = useMutation({
    mutationFn: (files: readonly File[]) => Promise.all(files.map(uploadedMedium)),
    onSuccess: (added) => onChange([...media, ...added]),
  });
  const [isOver, setOver] = useState(false);
  const add = (): void => {
    const wanted = url.trim();
    const isUsable = /^https?:\/\/\S+$/i.test(wanted);
    setFault(isUsable ? undefined : labels.badUrl);
    if (!isUsable) return;
    onChange([...media, { url: wanted }]);
    setUrl('');
  };
  if (!allowed && media.length === 0) return <p className={styles.muted}>{labels.noMms}</p>;
  return (
    <fieldset
      className={`${styles.fields} ${styles.drop} ${isOver ? styles.over : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const files = [...event.dataTransfer.files];
        if (files.length > 0) upload.mutate(files);
      }}
    >
      <legend className="visually-hidden">{labels.media}</legend>
      <TextField
        label={labels.mediaUrl}
        help={labels.mediaHelp}
        type="url"
        value={url}
        onChange={setUrl}
        fault={fault}
        mono
      />
      <Row>
        <Button onPress={add}>{labels.addUrl}</Button>
        <FileTrigger
          allowsMultiple
          onSelect={(files) => {
            if (files !== null && files.length > 0) upload.mutate([...files]);
          }}
        >
          <Button icon="picture" isPending={upload.isPending}>
            {upload.isPending ? labels.uploading : labels.upload}
          </Button>
        </FileTrigger>
        <span className={styles.muted}>{labels.dropHere}</span>
      </Row>
      <FormFault error={upload.error} />
      {media.length > 0 && (
        <ul className={styles.media}>
          {media.map((one) => (
            <li key={one.url}>
              <MediumLine {...one} />
              <Button look="quiet" onPress={() => onChange(media.filter(({ url }) => url !== one.url))}>
                {labels.removeMedium}
                <span className="visually-hidden"> {mediumName(one)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}

function MediumLine(medium: Medium) {
  const { url, type, sizeBytes } = medium;
  const facts = [type, sizeBytes === undefined ? undefined : sizeText(sizeBytes)].filter((fact) => fact !== undefined);
  return (
    <>
      <code title={url}>{mediumName(medium)}</code>
      {facts.length > 0 && <span className={styles.mediumFacts}>{facts.join(' · ')}</span>}
    </>
  );
}

export function Senders({ list }: { list: readonly Sender[] }) {
  if (list.length === 0) return null;
  return (
    <Panel title={labels.others}>
      <ul className={styles.media}>
        {list.map(({ number, why }) => (
          <li key={number}>
            <Phone digits={number} /> <span className={styles.muted}>{why}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
