/** Buttons and links that look like them. A button is never disabled without a reason that can be read. */
import { Link, type LinkProps } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext } from 'react';
import { Button as AriaButton, type ButtonProps } from 'react-aria-components';
import styles from './Button.module.css';
import { Icon, type IconName } from './icons';

type Look = 'primary' | 'plain' | 'quiet' | 'danger';

/** Around a copy of the page's primary action: this one is less prominent. */
export const RepeatedAction = createContext(false);

function useLook(look: Look): string {
  const isRepeated = useContext(RepeatedAction);
  return `${styles.button} ${styles[look === 'primary' && isRepeated ? 'plain' : look]}`;
}

interface Shared {
  look?: Look;
  icon?: IconName;
  children: ReactNode;
}

export function Button({
  look = 'plain',
  icon,
  children,
  ...props
}: Shared & Omit<ButtonProps, 'children' | 'className'>) {
  return (
    <AriaButton {...props} className={useLook(look)}>
      {icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
    </AriaButton>
  );
}

/** Shows only an icon; `label` is its accessible name and its tooltip. `tip`: a shorter tooltip. */
export function IconButton({
  icon,
  label,
  tip = label,
  ...props
}: { icon: IconName; label: string; tip?: string } & Omit<ButtonProps, 'children' | 'className'>) {
  return (
    <AriaButton
      {...props}
      aria-label={label}
      data-tip={tip}
      className={`${styles.button} ${styles.quiet} ${styles.square}`}
    >
      <Icon name={icon} />
    </AriaButton>
  );
}

export function LinkButton({ look = 'plain', icon, children, ...props }: Shared & LinkProps) {
  return (
    <Link {...props} className={useLook(look)}>
      {icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
    </Link>
  );
}
