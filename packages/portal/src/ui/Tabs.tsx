/** Tabs of a page and menus of a button. */
import type { ReactNode } from 'react';
import {
  Menu as AriaMenu,
  Tabs as AriaTabs,
  Text as AriaText,
  MenuItem,
  MenuTrigger,
  Popover,
  Tab,
  TabList,
  TabPanel,
} from 'react-aria-components';
import { Button, IconButton } from './Button';
import { Icon, type IconName } from './icons';
import styles from './Tabs.module.css';

export interface TabOf {
  id: string;
  title: string;
  content: ReactNode;
  /** Stays mounted while another tab is shown. */
  stays?: boolean;
}

export function Tabs({
  label,
  tabs,
  selected,
  onSelect,
}: {
  label: string;
  tabs: readonly TabOf[];
  selected?: string;
  onSelect?(id: string): void;
}) {
  // The URL may name a tab that does not exist, or no longer.
  const shown = selected === undefined || tabs.some(({ id }) => id === selected) ? selected : tabs[0]?.id;
  return (
    <AriaTabs
      className={styles.tabs}
      selectedKey={shown}
      onSelectionChange={onSelect === undefined ? undefined : (key) => onSelect(String(key))}
    >
      <TabList aria-label={label} className={styles.list}>
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className={styles.tab}>
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content, stays }) => (
        <TabPanel key={id} id={id} className={styles.panel} shouldForceMount={stays}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}

export interface Action {
  id: string;
  label: string;
  /** What it does, if its label does not say so. */
  detail?: string;
  /** Already chosen. */
  isChosen?: boolean;
  run(): void;
}

export function ActionMenu({
  label,
  name,
  icon,
  actions,
  look,
  tool,
}: {
  label: string;
  /** Its accessible name, if several menus have the same label; begins with the label. */
  name?: string;
  icon?: IconName;
  actions: readonly Action[];
  look?: 'plain' | 'quiet';
  /** One of a row of icons: its label is this icon's tooltip. */
  tool?: IconName;
}) {
  return (
    <MenuTrigger>
      {tool === undefined ? (
        <Button icon={icon} look={look} aria-label={name}>
          {label}
        </Button>
      ) : (
        <IconButton icon={tool} label={name ?? label} tip={label} />
      )}
      <Popover className={styles.popover}>
        <AriaMenu className={styles.menu} onAction={(key) => actions.find(({ id }) => id === key)?.run()}>
          {actions.map((action) => (
            <MenuItem key={action.id} id={action.id} className={styles.item}>
              <AriaText slot="label">
                {action.label}
                {action.isChosen === true && <Icon name="check" />}
              </AriaText>
              {action.detail !== undefined && (
                <AriaText slot="description" className={styles.detail}>
                  {action.detail}
                </AriaText>
              )}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
