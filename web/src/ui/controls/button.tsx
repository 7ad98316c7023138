// A button, or a link styled as one. Shows when it is busy and never submits a form by accident.
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { Icon, type IconName } from '../icon.tsx';
import styles from './button.module.css';

/** `primary`: once per view. `quiet`: without a frame. `danger`: for irreversible actions. */
export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind;
  readonly size?: 's' | 'm' | 'l';
  readonly icon?: IconName;
  /** True shows a spinner and ignores clicks. The label stays readable. */
  readonly busy?: boolean;
  /** True makes the button as wide as its container. */
  readonly wide?: boolean;
  readonly children?: ReactNode;
}

/** Renders a button. Without `children`, give it an `aria-label`. */
export const Button = ({
  kind = 'secondary',
  size = 'm',
  icon,
  busy = false,
  wide = false,
  className,
  disabled,
  onClick,
  children,
  ...rest
}: ButtonProps) => (
  <button
    type="button"
    {...rest}
    className={classNames(
      styles.button,
      styles[kind],
      styles[size],
      wide && styles.wide,
      children === undefined && styles.square,
      className,
    )}
    disabled={disabled}
    // Stays focusable while busy, because losing focus would send keyboard users to the top of the page.
    aria-disabled={busy || undefined}
    aria-busy={busy || undefined}
    onClick={busy ? (event) => event.preventDefault() : onClick}
  >
    {busy ? (
      <span className={styles.spinner} aria-hidden="true" />
    ) : (
      icon && <Icon name={icon} size={size === 's' ? 16 : 18} />
    )}
    {children}
  </button>
);

/** Renders a link styled as a button. */
export const ButtonLink = ({
  kind = 'secondary',
  size = 'm',
  icon,
  children,
  ...rest
}: Omit<React.AnchorHTMLAttributes<HTMLAnchorElement>, 'className'> &
  Pick<ButtonProps, 'kind' | 'size' | 'icon'>) => (
  <a {...rest} className={classNames(styles.button, styles[kind], styles[size])}>
    {icon && <Icon name={icon} size={size === 's' ? 16 : 18} />}
    {children}
  </a>
);
