/** A search that is submitted by Enter or its button, for lists whose search is expensive for the gateway. */
import { type ReactNode, useState } from 'react';
import { Button } from './Button';
import { TextField } from './Field';
import styles from './SearchForm.module.css';

export interface SearchWords {
  search: string;
  find: string;
  clear: string;
}

/** Give it `value` as its `key`, so that it follows the URL. */
export function SearchForm({
  value,
  onFind,
  words,
  ...field
}: {
  value: string;
  onFind(text: string): void;
  words: SearchWords;
  help?: ReactNode;
  placeholder?: string;
  mono?: boolean;
}) {
  const [text, setText] = useState(value);
  return (
    <search>
      <form
        className={styles.search}
        onSubmit={(event) => {
          event.preventDefault();
          onFind(text.trim());
        }}
      >
        <TextField label={words.search} type="search" maxLength={100} value={text} onChange={setText} {...field} />
        <Button type="submit" icon="search">
          {words.find}
        </Button>
        {value !== '' && (
          <Button look="quiet" onPress={() => onFind('')}>
            {words.clear}
          </Button>
        )}
      </form>
    </search>
  );
}
