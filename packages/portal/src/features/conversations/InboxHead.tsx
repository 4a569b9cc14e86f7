/** Above the list: search, filter and tabs. The address contains all of them. */
import { useOwnNumbers } from '../../api/own-numbers';
import { useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { TextField } from '../../ui/Field';
import { FilterViews } from '../../ui/SavedViews';
import { ActionMenu } from '../../ui/Tabs';
import { useUrlText } from '../../ui/url';
import { phoneText } from '../../ui/Values';
import { usePeople } from '../settings/people';
import styles from './Conversations.module.css';

const labels = labelsOf('conversation');

const tabNames = ['open', 'unread', 'mine', 'snoozed', 'done'] as const;
export type TabName = (typeof tabNames)[number];

/** The listed conversations: `mine` are those assigned to the person, the others are states. */
export function useTab() {
  const [state, setState] = useUrlText('state');
  const [assigned] = useUrlText('assigned');
  const isMine = assigned === 'me' && state === '';
  const tab: TabName = isMine ? 'mine' : (tabNames.find((one) => one === state) ?? 'open');
  return {
    tab,
    state,
    assigned,
    setTab: (next: TabName, others: Readonly<Record<string, string>> = {}): void =>
      setState(next === 'open' || next === 'mine' ? '' : next, { assigned: next === 'mine' ? 'me' : '', ...others }),
  };
}

export function InboxHead({ search, onSearch }: { search: string; onSearch(text: string): void }) {
  const { tab, setTab } = useTab();
  return (
    <div className={styles.inboxHead}>
      <div className={styles.searchLine}>
        <TextField
          label={labels.search}
          hideLabel
          placeholder={labels.searchShort}
          type="search"
          value={search}
          onChange={onSearch}
        />
        <FilterMenu />
        <FilterViews
          list="conversation"
          fields={{ number: labels.number, state: labels.show, assigned: labels.assignedTo, q: labels.search }}
        />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields */}
      <div role="group" aria-label={labels.show} className={styles.tabs}>
        {tabNames.map((name) => (
          <button key={name} type="button" aria-pressed={name === tab} onClick={() => setTab(name)}>
            {labels.tabs[name]}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Filters by own number, if there are several, and by assignee. */
function FilterMenu() {
  const numbers = useOwnNumbers();
  const people = usePeople().data ?? [];
  const { userId } = useMe().user;
  const [number, setNumber] = useUrlText('number');
  const [assigned, setAssigned] = useUrlText('assigned');
  const owns = numbers.length < 2 ? [] : ['', ...numbers];
  const whose = [
    { id: '', name: labels.anybody },
    { id: 'nobody', name: labels.nobody },
    ...people
      .filter((one) => one.userId !== userId && !one.disabled && one.readsTexts)
      .map((one) => ({ id: one.userId, name: one.name })),
  ];
  return (
    <ActionMenu
      label={labels.filter}
      tool="filter"
      actions={[
        ...owns.map((one) => ({
          id: `number ${one}`,
          label: one === '' ? labels.allNumbers : phoneText(one),
          isChosen: one === number,
          run: () => setNumber(one),
        })),
        ...whose.map(({ id, name }) => ({
          id: `assigned ${id}`,
          label: `${labels.assignedTo}: ${name}`,
          isChosen: id === assigned,
          run: () => setAssigned(id),
        })),
      ]}
    />
  );
}
