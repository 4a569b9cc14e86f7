/** Jumps to a page, or to the messages of a search. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Autocomplete, Input, Menu, MenuItem, SearchField, useFilter } from 'react-aria-components';
import { useMe } from '../api/session';
import { labelsOf } from '../language/labels';
import { Dialog } from '../ui/Dialog';
import { phoneDigits, useJumps } from './jumps';
import styles from './Palette.module.css';
import { palettePages } from './palette-pages';

const frameLabels = labelsOf('frame');

const labels = frameLabels.palette;

export function Palette({ open, onClose }: { open: boolean; onClose(): void }) {
  return (
    <Dialog title={labels.title} open={open} onClose={onClose}>
      {/* Otherwise the field would use the first Esc to clear itself */}
      <div
        role="presentation"
        onKeyDownCapture={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onClose();
        }}
      >
        <Choices onClose={onClose} />
      </div>
    </Dialog>
  );
}

function Choices({ onClose }: { onClose(): void }) {
  const me = useMe();
  const navigate = useNavigate();
  const { contains } = useFilter({ sensitivity: 'base' });
  const [text, setText] = useState('');
  const pages = palettePages(me);
  const wanted = text.trim();
  const peer = phoneDigits(wanted);
  const mayRead = me.permissions.includes('readBody');
  const withHandsets = mayRead && me.sandbox && me.environment === 'sandbox';
  const found = useJumps(wanted, mayRead ? peer : null, withHandsets, me.permissions);
  const nothing =
    wanted !== '' && found.length === 0 && peer === null && !pages.some((page) => contains(page.text, wanted));

  function go(to: string, search?: Record<string, string>): void {
    onClose();
    void navigate({ to, search } as never);
  }

  return (
    <Autocomplete
      inputValue={text}
      onInputChange={setText}
      filter={(value, input) => value === wanted || contains(value, input)}
    >
      <SearchField aria-label={labels.label} autoFocus className={styles.field}>
        <Input className={styles.input} placeholder={labels.label} />
      </SearchField>
      <p role="status" className={nothing ? styles.none : 'visually-hidden'}>
        {nothing ? labels.nothing(wanted) : ''}
      </p>
      <Menu
        className={styles.list}
        aria-label={labels.title}
        renderEmptyState={() => <p className={styles.none}>{labels.none}</p>}
      >
        {pages.map(({ to, search, label, text, outside }) => (
          <MenuItem
            key={label}
            id={`page ${label}`}
            textValue={text}
            className={styles.item}
            onAction={() => (outside === true ? location.assign(to) : go(to, search))}
          >
            {label}
          </MenuItem>
        ))}
        {found.map(({ to, search, label }) => (
          <MenuItem
            key={`${to} ${label}`}
            id={`${to} ${label}`}
            textValue={wanted}
            className={styles.item}
            onAction={() => go(to, search)}
          >
            {label}
          </MenuItem>
        ))}
        {wanted !== '' && (
          <MenuItem
            id="find"
            textValue={wanted}
            className={styles.item}
            onAction={() => go('/messages', { q: wanted })}
          >
            {labels.find(wanted)}
          </MenuItem>
        )}
      </Menu>
    </Autocomplete>
  );
}
