/** Links to different views of the same data, as one segmented control. */
import { Button } from '@mantine/core';

interface SwitchLinksProps {
  label: string;
  links: readonly { label: string; href: string; current: boolean }[];
  className?: string | undefined;
}

export const SwitchLinks = ({ label, links, className }: SwitchLinksProps) => (
  <nav aria-label={label} className={className}>
    <Button.Group>
      {links.map(({ label: words, href, current }) => (
        <Button
          key={words}
          component="a"
          variant={current ? 'light' : 'default'}
          href={href}
          aria-current={current ? 'page' : undefined}
        >
          {words}
        </Button>
      ))}
    </Button.Group>
  </nav>
);
