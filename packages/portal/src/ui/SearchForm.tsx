/** A search that is submitted by Enter or its button, for lists whose search is expensive for the gateway. */
import { type ReactNode, useState } from 'react';
import { Button } from './Button';
import { TextField } from './Field';
import styles from './SearchForm.module.css';

export interface SearchLabels {
  search: string;
  find: string;
  clear: string;
}

/** Give it `value` as its `key`, so that it follows the URL. */
export function SearchForm({
  value,
  onFind,
  labels,
  ...field
}: {
  value: string;
  onFind(text: string): void;
  labels: SearchLabels;
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
        <TextField label={labels.search} type="search" maxLength={100} value={text} onChange={setText} {...field} />
        <Button type="submit" icon="search">
          {labels.find}
        </Button>
        {value !== '' && (
          <Button look="quiet" onPress={() => onFind('')}>
            {labels.clear}
          </Button>
        )}
      </form>
    </search>
  );
}
