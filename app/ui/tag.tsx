/** A state as one word. The colour only supports the word. */
import { Badge } from '@mantine/core';

const colors = { plain: 'gray', accent: 'blue', good: 'green', warn: 'orange', bad: 'red' } as const;

export type TagTone = keyof typeof colors;

export const Tag = ({ tone = 'plain', strong, children }: { tone?: TagTone; strong?: boolean; children: string }) => (
  <Badge variant="light" color={colors[tone]} {...(strong && { fw: 600 })}>
    {children}
  </Badge>
);
