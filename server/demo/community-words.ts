import { readData } from './data.ts';

export interface GroupTexts {
  posts: readonly string[];
  comments: readonly string[];
}

interface DemoGroup {
  name: string;
  introduction: string;
  /** Has no posts. */
  quiet?: boolean;
  /** The demo account that is not a member. */
  without?: 'teacher' | 'assist';
}

interface Words {
  groups: DemoGroup[];
  /** Posts in circles, posts in groups, and comments on both. */
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
  circle: { posts: circle, comments } satisfies GroupTexts,
  group: { posts: group, comments } satisfies GroupTexts,
  /** Nearly the maximum length of a post. */
  long: Array.from({ length: 8 }, (_, index) => `${index + 1}. ${paragraph}`).join('\n\n'),
  longComment: `${paragraph}${'长'.repeat(40)}`,
};
