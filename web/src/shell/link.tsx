// A link to a view. It also works in a new tab, and is followed without reloading the page.
import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { ButtonLink, type ButtonProps } from '../ui/controls/button.tsx';
import { navigate } from './page-router.ts';

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string };

const follow = (event: MouseEvent<HTMLAnchorElement>, href: string): void => {
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!plain || event.defaultPrevented) return;
  event.preventDefault();
  navigate(href);
};

/** `href` is a path on this page. */
export const Link = ({ href, onClick, ...rest }: LinkProps) => (
  <a
    {...rest}
    href={href}
    onClick={(event) => {
      onClick?.(event);
      follow(event, href);
    }}
  />
);

/** Renders a link to a view, styled as a button. */
export const LinkButton = ({
  href,
  ...rest
}: Omit<LinkProps, 'className' | 'onClick'> & Pick<ButtonProps, 'kind' | 'size' | 'icon'>) => (
  <ButtonLink {...rest} href={href} onClick={(event) => follow(event, href)} />
);
