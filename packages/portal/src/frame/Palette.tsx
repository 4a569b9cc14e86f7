/** Jumps to a page, or to the messages of whatever is typed. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Autocomplete, Input, Menu, MenuItem, SearchField, useFilter } from 'react-aria-components';
import { useOwnNumbers } from '../api/own-numbers';
import { useMe } from '../api/session';
import { Dialog } from '../ui/Dialog';
import { phoneText } from '../ui/Values';
import { frameWords } from '../words/en/frame';
import { allPlaces } from './navigation';
import styles from './Palette.module.css';

const words = frameWords.palette;

export function Palette({ open, onClose }: { open: boolean; onClose(): void }) {
  return (
    <Dialog title={words.title} open={open} onClose={onClose}>
      {/* The field would take the first Esc to empty itself. */}
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
  const places = allPlaces.filter(
    ({ permission, sandboxOnly }) =>
      (permission === undefined || me.permissions.includes(permission)) && (sandboxOnly !== true || me.sandbox),
  );
  const wanted = text.trim();
  const peer = phoneDigits(wanted);
  const [own] = useOwnNumbers();
  const mayRead = me.permissions.includes('readBody');

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
      <SearchField aria-label={words.label} autoFocus className={styles.field}>
        <Input className={styles.input} placeholder={words.label} />
      </SearchField>
      <Menu
        className={styles.list}
        aria-label={words.title}
        renderEmptyState={() => <p className={styles.none}>{words.none}</p>}
      >
        {places.map(({ to, label }) => (
          <MenuItem key={to} id={to} textValue={label} className={styles.item} onAction={() => go(to)}>
            {label}
          </MenuItem>
        ))}
        {peer !== null && mayRead && me.sandbox && me.environment === 'sandbox' && (
          <MenuItem id="handset" textValue={wanted} className={styles.item} onAction={() => go(`/handsets/${peer}`)}>
            {words.handset(phoneText(peer))}
          </MenuItem>
        )}
        {peer !== null && mayRead && own !== undefined && own !== peer && (
          <MenuItem
            id="conversation"
            textValue={wanted}
            className={styles.item}
            onAction={() => go(`/conversations/${own}/${peer}`)}
          >
            {words.conversation(phoneText(peer), phoneText(own))}
          </MenuItem>
        )}
        {wanted !== '' && (
          <MenuItem
            id="find"
            textValue={wanted}
            className={styles.item}
            onAction={() => go('/messages', { q: wanted })}
          >
            {words.find(wanted)}
          </MenuItem>
        )}
      </Menu>
    </Autocomplete>
  );
}

/** A telephone number as people write it, ten digits being of North America; null for anything else. */
function phoneDigits(text: string): string | null {
  if (!/^\+?[\d\s().-]+$/.test(text)) return null;
  const digits = text.replace(/\D/g, '');
  if (digits.length === 10 && !text.startsWith('+')) return `1${digits}`;
  return digits.length >= 8 && digits.length <= 15 ? digits : null;
}
