/** What people of the demo school say in their circles and groups. */
import { readData } from './data.ts';

export interface Said {
  posts: readonly string[];
  comments: readonly string[];
}

interface DemoGroup {
  name: string;
  introduction: string;
  /** Nobody has posted yet. */
  quiet?: boolean;
  /** Who of the two that sign in is not in it. */
  without?: 'teacher' | 'assist';
}

interface Words {
  groups: DemoGroup[];
  /** Posts in circles, posts in groups, and what is answered to either. */
  circle: string[];
  group: string[];
  comments: string[];
  school: string[];
  paragraph: string;
  markup: string;
  advertisement: string;
}

const { circle, group, comments, paragraph, ...words } = readData<Words>('community-words.json');

export const communityWords = {
  ...words,
  circle: { posts: circle, comments } satisfies Said,
  group: { posts: group, comments } satisfies Said,
  /** Nearly as long as a post may be. */
  long: Array.from({ length: 8 }, (_, index) => `${index + 1}. ${paragraph}`).join('\n\n'),
  longComment: `${paragraph}${'长'.repeat(40)}`,
};
