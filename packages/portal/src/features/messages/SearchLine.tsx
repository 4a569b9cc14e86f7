/** The search of the message log: a line of words with suggestions while typing, and a chip for each active word. */
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { labelsOf } from '../../language/labels';
import { Button, IconButton } from '../../ui/Button';
import { Icon } from '../../ui/icons';
import { nearText } from '../../ui/Values';
import { useKeys } from '../keys/keys';
import { useReasons } from '../reasons/reasons';
import list from './List.module.css';
import styles from './Messages.module.css';
import { SearchForm } from './SearchForm';
import { chipText, keyValues, type Offered, offeredValues, reasonValues, withValue } from './search-values';
import { completed, isFaulty, searchWords, typedName, withoutWord } from './search-words';

const messageLabels = labelsOf('message');
const searchFormLabels = labelsOf('searchForm');

const labels = messageLabels.list;
const names = Object.keys(labels.tokens) as (keyof typeof labels.tokens)[];

export function SearchLine({ q, onSearch }: { q: string; onSearch(q: string): void }) {
  const [text, setText] = useState(q);
  const [building, setBuilding] = useState(false);
  useEffect(() => setText(q), [q]);
  return (
    <search>
      <form
        className={styles.searchForm}
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(text.trim());
        }}
      >
        <Line text={text} onText={setText} />
        <IconButton icon="filter" label={searchFormLabels.open} onPress={() => setBuilding(true)} />
      </form>
      {building && <SearchForm q={q} onSearch={onSearch} onClose={() => setBuilding(false)} />}
    </search>
  );
}

/** A chip for each active word, which removes it. */
export function SearchChips({
  q,
  problems,
  onSearch,
}: {
  q: string;
  /** Its words that were not understood. */
  problems: readonly { token: string }[];
  onSearch(q: string): void;
}) {
  if (q === '') return null;
  return (
    <ul className={styles.chips}>
      {searchWords(q).map((word, i) => (
        <li key={word} className={isFaulty(word, problems) ? `${styles.chip} ${list.faulty}` : styles.chip}>
          <Chip word={word} isFaulty={isFaulty(word, problems)} />
          <AriaButton
            aria-label={labels.remove(word)}
            className={styles.chipButton}
            onPress={() => onSearch(withoutWord(q, i))}
          >
            <Icon name="cross" />
          </AriaButton>
        </li>
      ))}
      <li>
        <Button look="quiet" onPress={() => onSearch('')}>
          {labels.clear}
        </Button>
      </li>
    </ul>
  );
}

function Chip({ word, isFaulty }: { word: string; isFaulty: boolean }) {
  if (!isFaulty) return chipText(word, (at) => nearText(at, 'second')) ?? <code>{word}</code>;
  return (
    <>
      <Icon name="warning" /> {word.startsWith('key:') ? labels.noKey : labels.notUnderstood}: <code>{word}</code>
    </>
  );
}

/** The field: a combobox (ARIA 1.2) whose options complete the word being typed. */
function Line({ text, onText }: { text: string; onText(text: string): void }) {
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const typed = typedName(text);
  const more = useOffered(open);
  const offered = open ? offersOf(text, typed, more) : [];

  function change(next: string): void {
    onText(next);
    setOpen(true);
    setActive(-1);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const chosen = offered[active];
    if (event.key === 'Escape') setOpen(false);
    else if (event.key === 'Enter' && chosen === undefined) setOpen(false);
    else if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault();
      change(chosen.next);
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && offered.length > 0) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((active + step + offered.length + (active < 0 && step < 0 ? 1 : 0)) % offered.length);
    }
  }

  return (
    <div className={styles.searchField}>
      <button type="submit" className={list.submit} aria-label={labels.find}>
        <Icon name="search" />
      </button>
      <input
        type="search"
        role="combobox"
        aria-label={labels.search}
        aria-expanded={offered.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={offered[active] === undefined ? undefined : `${listId}-${active}`}
        autoComplete="off"
        spellCheck={false}
        data-page-search
        className={styles.searchInput}
        placeholder={labels.hint}
        value={text}
        onChange={(event) => change(event.target.value)}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div
        id={listId}
        role="listbox"
        aria-label={labels.suggestions}
        className={styles.offered}
        hidden={offered.length === 0}
      >
        {offered.map(({ word, what, next }, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus and handles the keys
          <div
            key={word}
            id={`${listId}-${i}`}
            role="option"
            aria-selected={i === active}
            tabIndex={-1}
            className={styles.offer}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => change(next)}
          >
            <code>{word}</code>
            <span className={styles.muted}>{what}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

interface Offer {
  word: string;
  what: string;
  /** The search with it. */
  next: string;
}

/** The company's keys and the gateway's codes, fetched when the person begins to search. */
function useOffered(wanted: boolean): Offered {
  const keys = useKeys(wanted).data;
  const reasons = useReasons(wanted).data;
  return useMemo(() => ({ key: keyValues(keys ?? []), reason: reasonValues(reasons ?? []) }), [keys, reasons]);
}

/** Suggests names for the start of a word, and values for a name that has few of them. */
function offersOf(text: string, typed: string | null, more: Offered): Offer[] {
  const values = offeredValues(text, more);
  // Within quotation marks a value may look like the start of a name.
  if (typed === null || values.length > 0) {
    return values.map(({ value, shown, technical }) => ({
      word: value,
      what: technical === null ? shown : labels.also(shown, technical),
      next: withValue(text, value),
    }));
  }
  return names
    .filter((name) => name.startsWith(typed.toLowerCase()))
    .map((name) => ({ word: `${name}:`, what: labels.tokens[name], next: completed(text, name) }));
}
